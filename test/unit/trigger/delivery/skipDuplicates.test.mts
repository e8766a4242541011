import { addEvent } from '../../../../nodes/Argyle/trigger/delivery/skipDuplicates';
import { advance, useFakeTime } from '../../../support/fakeTime.mts';

beforeEach(() => useFakeTime());
afterEach(() => jest.restoreAllMocks());

it('an equal event is refused for two minutes, and not longer when the clock was set back', () => {
	expect([addEvent('k'), addEvent('k'), addEvent('other')]).toEqual([true, false, true]);
	advance(119_000);
	expect(addEvent('k')).toBe(false);
	advance(1_000);
	expect(addEvent('k')).toBe(true);
	advance(-1_000);
	expect(addEvent('k')).toBe(true);
});

it('10,000 events are remembered, and the oldest are forgotten first', () => {
	for (let index = 0; index <= 10_000; index++) addEvent(String(index));
	expect([addEvent('1'), addEvent('0')]).toEqual([false, true]);
});
