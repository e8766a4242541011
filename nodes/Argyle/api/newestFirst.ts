import type { IDataObject } from 'n8n-workflow';

/** How late, or out of order, a record may appear in a list. */
const LATENESS_MS = 600_000;

/**
 * For `endsWith` of a list: whether all that was created since `time` (milliseconds since 1970) has come. Argyle
 * documents no order, so the list is read to its end unless it turns out to be newest first, but for some minutes.
 */
export function readsBackTo(time: number): (records: IDataObject[]) => boolean {
	let newest: number | undefined;
	let oldest = Infinity;
	let isUnordered = false;
	return (records) => {
		for (const { created_at: createdAt } of records) {
			const created = Date.parse(String(createdAt));
			if (Number.isNaN(created) || created > oldest + LATENESS_MS) isUnordered = true;
			newest ??= created;
			oldest = Math.min(oldest, created);
		}
		const isNewestFirst = !isUnordered && newest !== undefined && newest > oldest + LATENESS_MS;
		return isNewestFirst && oldest + LATENESS_MS < time;
	};
}
