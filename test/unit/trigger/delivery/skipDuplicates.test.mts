import { deduplicationKey, forgetEvent, takeEvent } from '../../../../nodes/Argyle/trigger/delivery/skipDuplicates';
import { advance, useFakeTime } from '../../../support/fakeTime.mts';

beforeEach(() => useFakeTime());
afterEach(() => jest.restoreAllMocks());

it('deduplicationKey is equal for the data of one event, whatever the subscription is named', () => {
	const data = { account: 'a', user: 'u' };
	const key = (trigger: string, event: string, more: object = {}, name = 'n') =>
		deduplicationKey(trigger, { event, name, data: { ...data, ...more } });
	expect(key('t', 'accounts.updated')).toBe(key('t', 'accounts.updated', {}, 'Renamed'));
	const keys = [
		key('t', 'accounts.updated'),
		key('other', 'accounts.updated'),
		key('t', 'accounts.added'),
		key('t', 'accounts.updated', { user: 'v' }),
	];
	expect(new Set(keys).size).toBe(keys.length);
});

it('an equal event is refused for two minutes, and not longer when the clock was set back', () => {
	expect([takeEvent('k'), takeEvent('k'), takeEvent('other')]).toEqual([true, false, true]);
	advance(119_000);
	expect(takeEvent('k')).toBe(false);
	advance(1_000);
	expect(takeEvent('k')).toBe(true);
	advance(-1_000);
	expect(takeEvent('k')).toBe(true);
});

it('an event that n8n could not store is new when it comes again', () => {
	takeEvent('failed');
	forgetEvent('failed');
	expect(takeEvent('failed')).toBe(true);
});

it('10,000 events are remembered, and the oldest are forgotten first', () => {
	for (let index = 0; index <= 10_000; index++) takeEvent(String(index));
	expect([takeEvent('1'), takeEvent('0')]).toEqual([false, true]);
});
