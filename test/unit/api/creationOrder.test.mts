import { CreationOrder, readsBackTo } from '../../../nodes/Argyle/api/creationOrder';

const now = 1_700_000_000_000;
const MINUTE = 60_000;

/** The order of records that were created so many minutes before now. */
function orderOf(...minutesAgo: number[]): CreationOrder {
	const order = new CreationOrder();
	for (const minutes of minutesAgo) order.add(now - minutes * MINUTE);
	return order;
}

it('a list that is newest first has passed a time ten minutes after its oldest record', () => {
	const order = orderOf(0, 4, 8, 12, 16, 20);
	expect([1, 0].map((ms) => order.hasPassed(now - 10 * MINUTE - ms))).toEqual([false, true]);
	expect(orderOf(20).hasPassed(now - 10 * MINUTE)).toBe(true);
	expect(new CreationOrder().hasPassed(now)).toBe(false);
});

it('a record may come ten minutes out of order; one that comes later, or has no time, makes the list unordered', () => {
	const late = orderOf(0, 10, 20, 30, 40, 30);
	expect([late.isUnordered, late.hasPassed(now)]).toEqual([false, true]);
	late.add(now - 30 * MINUTE + 1);
	expect([late.isUnordered, late.hasPassed(now)]).toEqual([true, false]);
	const withoutTime = orderOf(0, 10, 20, NaN);
	expect([withoutTime.isUnordered, withoutTime.hasPassed(now)]).toEqual([true, false]);
});

it.each([
	[true, 'two of three are', [20, 20, 20, 21, 21, 20]],
	[false, 'one of three is', [20, 20, 20, 21, 20, 20]],
	[false, 'none of one moment is', [20, 20, 20, 20]],
	[false, 'none of those that come oldest first is', [24, 23, 22, 21]],
])('that a list is newest first is %p when of its first half %s newer than what comes half a list later', (...row) => {
	const [isNewestFirst, , minutes] = row;
	expect(orderOf(...minutes).hasPassed(now)).toBe(isNewestFirst);
});

it('readsBackTo reads page by page until all that was created since a time has come', () => {
	const hasAllSince = readsBackTo(now);
	const page = (...minutesAgo: number[]) =>
		minutesAgo.map((minutes) => ({ created_at: new Date(now - minutes * MINUTE).toISOString() }));
	expect([hasAllSince(page(0, 5)), hasAllSince(page(9)), hasAllSince(page(10))]).toEqual([false, false, true]);
	expect(readsBackTo(now)([...page(0, 5, 20), {}])).toBe(false);
});
