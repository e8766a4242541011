import { CreationOrder, readsBackTo } from '../../../nodes/Argyle/api/creationOrder';

const now = 1_700_000_000_000;
const MINUTE = 60_000;

function orderOf(...minutesAgo: number[]): CreationOrder {
	const order = new CreationOrder();
	for (const minutes of minutesAgo) order.add(now - minutes * MINUTE);
	return order;
}

/** So many records, each of which was created `apart` minutes before the one that comes first. */
const newestFirst = (count: number, apart = 1) => Array.from({ length: count }, (_, index) => index * apart);

it('a list that is newest first has passed a time ten minutes after its oldest record', () => {
	const order = orderOf(...newestFirst(21));
	expect([1, 0].map((ms) => order.hasPassed(now - 10 * MINUTE - ms))).toEqual([false, true]);
});

it('a list has passed nothing before it has shown twenty records, which can be newest first by chance', () => {
	const hasPassed = [0, 1, 19, 20].map((count) => orderOf(...newestFirst(count)).hasPassed(now));
	expect(hasPassed).toEqual([false, false, false, true]);
});

it('a record may come ten minutes out of order; one that comes later, or has no time, makes the list unordered', () => {
	const late = orderOf(...newestFirst(21, 2), 30);
	expect([late.isUnordered, late.hasPassed(now)]).toEqual([false, true]);
	late.add(now - 30 * MINUTE + 1);
	expect([late.isUnordered, late.hasPassed(now)]).toEqual([true, false]);
	const withoutTime = orderOf(...newestFirst(21), NaN);
	expect([withoutTime.isUnordered, withoutTime.hasPassed(now)]).toEqual([true, false]);
});

const times = (count: number, minutes: number) => Array.from({ length: count }, () => minutes);

it.each([
	[true, 'two of three are', [...times(12, 20), ...times(8, 21), ...times(4, 20)]],
	[false, 'one of three is', [...times(12, 20), ...times(4, 21), ...times(8, 20)]],
	[false, 'none of one moment is', times(24, 20)],
	[false, 'none of those that come oldest first is', newestFirst(24).reverse()],
])('that a list is newest first is %p when of its first half %s newer than what comes half a list later', (...row) => {
	const [isNewestFirst, , minutes] = row;
	expect(orderOf(...minutes).hasPassed(now)).toBe(isNewestFirst);
});

it('readsBackTo reads page by page until all that was created since a time has come', () => {
	const hasAllSince = readsBackTo(now);
	const page = (...minutesAgo: number[]) =>
		minutesAgo.map((minutes) => ({ created_at: new Date(now - minutes * MINUTE).toISOString() }));
	const pages = [newestFirst(20, 0.1), [9], [10]].map((minutesAgo) => hasAllSince(page(...minutesAgo)));
	expect(pages).toEqual([false, false, true]);
	expect(readsBackTo(now)([...page(...newestFirst(21)), {}])).toBe(false);
});
