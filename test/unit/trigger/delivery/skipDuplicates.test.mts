import { takeEvent } from '../../../../nodes/Argyle/trigger/delivery/skipDuplicates';
import { advance, useFakeTime } from '../../../support/fakeTime.mts';

beforeEach(() => useFakeTime());
afterEach(() => jest.restoreAllMocks());

it('an equal event is refused for two minutes, and not longer when the clock was set back', () => {
	expect([takeEvent('k'), takeEvent('k'), takeEvent('other')]).toEqual([true, false, true]);
	advance(119_000);
	expect(takeEvent('k')).toBe(false);
	advance(1_000);
	expect(takeEvent('k')).toBe(true);
	advance(-1_000);
	expect(takeEvent('k')).toBe(true);
});

it('10,000 events are remembered, and the oldest are forgotten first', () => {
	for (let index = 0; index <= 10_000; index++) takeEvent(String(index));
	expect([takeEvent('1'), takeEvent('0')]).toEqual([false, true]);
});
