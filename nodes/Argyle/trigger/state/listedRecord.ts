import type { IDataObject } from 'n8n-workflow';

import { MAX_BEHIND, MAX_HELD } from './limits';

/** A record in one of Argyle's lists that starts the workflow once. */
export interface ListedRecord {
	/** The key that identifies it, such as the ID of a form. */
	key: string;
	/** When the event happened, in milliseconds since 1970 by Argyle's clock. For a report, when it was asked for. */
	happenedAt: number;
	record: IDataObject;
	/** When the change began that led to the event, in milliseconds since 1970. It decides whether the event counts. */
	countsBy?: number;
	/** Whether nothing says when the event happened. Then it happened later than `happenedAt`. */
	isUndated?: boolean;
}

/** For `sort`, the oldest first. Records of the same millisecond come in the order of their keys. */
export function byAge(one: ListedRecord, other: ListedRecord): number {
	return one.happenedAt - other.happenedAt || (one.key < other.key ? -1 : 1);
}

/**
 * Returns how many of the listed records, oldest first, the bookmark may pass. The first `doneCount` of the records are
 * done. The bookmark does not pass the last 500 of the done ones, nor any from `heldFrom` on. But never more than 1,000
 * done records stay after the bookmark.
 */
export function countUpToBookmark(
	listed: ReadonlyArray<{ listed: ListedRecord }>,
	doneCount: number,
	heldFrom: number,
): number {
	const firstHeld = listed.findIndex(({ listed: { happenedAt } }) => happenedAt >= heldFrom);
	const free = firstHeld === -1 ? doneCount : firstHeld;
	return wholeMilliseconds(listed, Math.max(0, doneCount - MAX_HELD, Math.min(doneCount - MAX_BEHIND, free)));
}

/** Returns the count, or less: a place in time can't part two records of the same millisecond. */
export function wholeMilliseconds(listed: ReadonlyArray<{ listed: ListedRecord }>, count: number): number {
	const next = listed.at(count)?.listed.happenedAt;
	let whole = count;
	while (count < listed.length && whole > 0 && listed[whole - 1].listed.happenedAt === next) whole--;
	return whole;
}
