import type { IDataObject } from 'n8n-workflow';

/** How late or out of order a record may appear in a list. */
export const LATENESS_MS = 600_000;

/**
 * Each record of the list's first half is compared with one of the second half. The list counts as newest first if, in
 * at least this part of the pairs, the record of the first half is newer.
 */
const NEWER_PART = 2 / 3;

/** A few records can be newest first by chance. Argyle's pages hold up to 200, so 20 are rarely on two pages. */
const MIN_RECORDS = 20;

/**
 * Learns the order of a list from its records as they come, because Argyle documents none. All times are in
 * milliseconds since 1970.
 */
export class CreationOrder {
	private readonly times: number[] = [];

	private oldest = Infinity;

	/** Whether a record is much newer than one before it, or has no time that can be read. */
	isUnordered = false;

	add(time: number): void {
		if (Number.isNaN(time) || time > this.oldest + LATENESS_MS) this.isUnordered = true;
		this.oldest = Math.min(this.oldest, time);
		this.times.push(time);
	}

	/** Whether all records from `time` on have been read. */
	hasPassed(time: number): boolean {
		return this.times.length >= MIN_RECORDS && this.oldest + LATENESS_MS <= time && this.isNewestFirst();
	}

	/**
	 * A list counts as newest first even if some records are minutes out of order. Returns false while all records have
	 * the same time, because that shows no order.
	 */
	private isNewestFirst(): boolean {
		const half = Math.floor(this.times.length / 2);
		const isNewer = (time: number, index: number) => time > this.times[index + half];
		return !this.isUnordered && this.times.slice(0, half).filter(isNewer).length >= NEWER_PART * half;
	}
}

/** For `endsWith` of a list: whether all that was created since `time` (milliseconds since 1970) has come. */
export function readsBackTo(time: number): (records: IDataObject[]) => boolean {
	const order = new CreationOrder();
	return (records) => {
		for (const { created_at: createdAt } of records) order.add(Date.parse(String(createdAt)));
		return order.hasPassed(time);
	};
}
