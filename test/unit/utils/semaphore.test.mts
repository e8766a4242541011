import { setImmediate as nextTurn } from 'node:timers/promises';
import { Semaphore } from '../../../nodes/Argyle/utils/semaphore';

describe('Slots', () => {
	it('lets so many in, and the others in the order of coming', async () => {
		const slots = new Semaphore(2);
		const inside: number[] = [];
		const back: Array<() => void> = [];
		for (let index = 0; index < 5; index++)
			void slots.acquire().then((giveBack) => {
				inside.push(index);
				back.push(giveBack);
			});
		await nextTurn();
		expect(inside).toEqual([0, 1]);
		back[1]?.();
		await nextTurn();
		expect(inside).toEqual([0, 1, 2]);
		// Given back once already.
		back[1]?.();
		await nextTurn();
		expect(inside).toEqual([0, 1, 2]);
		back[0]?.();
		back[2]?.();
		await nextTurn();
		expect(inside).toEqual([0, 1, 2, 3, 4]);
	});
});
