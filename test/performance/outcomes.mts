import type { Sent } from './eventSource.mts';

/** What became of the events of one run. */
export interface Tally {
	sent: number;
	run: number;
	doubled: number;
	/** Not run although the last answer was 2xx: lost by the trigger or n8n. */
	lostAfter2xx: number;
	/** Not run, because n8n's start page answered 200 to it: Argyle does not send again. */
	startPage: number;
	/** Not run, and answered that it should be sent again, but the one repeat was used up. */
	lostThoughRepeated: number;
	/** Answered 401 or 403 at last. */
	refused: number;
	/** Not run, because there was no subscription at that moment. */
	noSubscription: number;
	/** Not run, because n8n had no such address (404) at the last attempt: Argyle does not send again. */
	noRoute: number;
	/** Not run, because nobody listened at the last attempt. */
	noProcess: number;
	/** Ran at the second attempt. */
	runByRepeat: number;
	/** The longest run of events in a row that did not run, in milliseconds, with how many there were. */
	gaps: number[];
}

/** Takes the data of every execution, as n8n stores it, and what was sent; counts what was run. */
export function tally(executed: string[], sent: Sent[]): Tally {
	const runs = new Map<string, number>(sent.map(({ id }) => [id, 0]));
	for (const text of executed)
		for (const id of new Set(text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))) {
			const count = runs.get(id);
			if (count !== undefined) runs.set(id, count + 1);
		}
	const lost = sent.filter(({ id }) => runs.get(id) === 0);
	const last = ({ attempts }: Sent) => attempts.at(-1)?.status;
	const isStartPage = ({ attempts }: Sent) => attempts.at(-1)?.body.includes('n8n is starting up') === true;
	const count = (fits: (event: Sent) => boolean) => lost.filter(fits).length;
	return {
		sent: sent.length,
		run: sent.length - lost.length,
		doubled: [...runs.values()].filter((times) => times > 1).length,
		lostAfter2xx: count((event) => last(event) === 200 && !isStartPage(event)),
		startPage: count(isStartPage),
		lostThoughRepeated: count((event) => event.attempts.length > 1 && (last(event) ?? 0) >= 429),
		refused: count((event) => [401, 403].includes(last(event) ?? 0)),
		noSubscription: count(({ attempts }) => attempts.length === 0),
		noRoute: count((event) => last(event) === 404),
		noProcess: count((event) => last(event) === null),
		runByRepeat: sent.filter(({ id, attempts }) => attempts.length > 1 && runs.get(id) !== 0).length,
		gaps: gapsOf(sent, new Set(lost.map(({ id }) => id))),
	};
}

/** The times, in milliseconds, during which every event was lost; the shortest first. */
function gapsOf(sent: Sent[], lost: Set<string>): number[] {
	const gaps: number[] = [];
	let since: number | undefined;
	for (const { id, at } of sent) {
		if (lost.has(id)) since ??= at;
		else if (since !== undefined) {
			gaps.push(at - since);
			since = undefined;
		}
	}
	return gaps.sort((one, other) => one - other);
}
