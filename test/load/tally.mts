import { endings, executedTexts } from '../n8n/database.mts';
import type { RunningN8n } from '../n8n/process.mts';
import type { Sent } from './source.mts';

/** What became of the events of one run. */
export interface Tally {
	sent: number;
	run: number;
	doubled: number;
	/** Not run although the last answer was 2xx: lost by the trigger or n8n. */
	lostAfter2xx: number;
	/** Not run, because n8n said 200 "n8n is starting up. Please wait" to it: Argyle takes that for a delivery. */
	startingUp: number;
	/** Not run although the service sent it again. */
	lostThoughRepeated: number;
	/** Answered 401 or 403 at last. */
	refused: number;
	/** Not run, because there was no subscription at that moment. */
	noSubscription: number;
	/** Not run, because n8n had no such address (404): Argyle does not send again. */
	noRoute: number;
	/** Not run, because nobody listened: Argyle does not send again. */
	noProcess: number;
	/** Not run after an answer that is none of these and that Argyle does not send again after. */
	lostOtherwise: number;
	/** Ran at the second attempt. */
	runByRepeat: number;
	/** The longest run of events in a row that did not run, in milliseconds, with how many there were. */
	gaps: number[];
	/** How often each status was answered, the first tries and the repeats together; `none` is no answer. */
	answers: string;
	/** How the executions ended. */
	endings: string;
}

/** Takes what was sent; counts what a workflow ran of it, from n8n's database. */
export function tally(n8n: RunningN8n, workflowId: string, sent: Sent[]): Tally {
	const runs = new Map<string, number>(sent.map(({ id }) => [id, 0]));
	for (const text of executedTexts(n8n, workflowId))
		for (const id of new Set(text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))) {
			const count = runs.get(id);
			if (count !== undefined) runs.set(id, count + 1);
		}
	const lost = sent.filter(({ id }) => runs.get(id) === 0);
	const count = (reason: Reason) => lost.filter((event) => reasonOf(event) === reason).length;
	return {
		sent: sent.length,
		run: sent.length - lost.length,
		doubled: [...runs.values()].filter((times) => times > 1).length,
		lostAfter2xx: count('after 2xx'),
		startingUp: count('starting up'),
		lostThoughRepeated: count('though repeated'),
		refused: count('refused'),
		noSubscription: count('no subscription'),
		noRoute: count('no route'),
		noProcess: count('no process'),
		lostOtherwise: count('otherwise'),
		runByRepeat: sent.filter(({ id, attempts }) => attempts.length > 1 && runs.get(id) !== 0).length,
		gaps: gapsOf(sent, new Set(lost.map(({ id }) => id))),
		answers: answersOf(sent),
		endings: endings(n8n, workflowId),
	};
}

type Reason =
	| 'no subscription'
	| 'starting up'
	| 'after 2xx'
	| 'refused'
	| 'though repeated'
	| 'no route'
	| 'no process'
	| 'otherwise';

/** Why an event that did not run is lost: one reason each. */
function reasonOf({ attempts }: Sent): Reason {
	const last = attempts.at(-1);
	if (last === undefined) return 'no subscription';
	if (/starting up/.test(last.body)) return 'starting up';
	if (last.status === 200) return 'after 2xx';
	if (last.status === 401 || last.status === 403) return 'refused';
	if (attempts.length > 1) return 'though repeated';
	if (last.status === 404) return 'no route';
	return last.status === null ? 'no process' : 'otherwise';
}

function answersOf(sent: Sent[]): string {
	const counts = new Map<string, number>();
	for (const { status } of sent.flatMap(({ attempts }) => attempts)) {
		const name = String(status ?? 'none');
		counts.set(name, (counts.get(name) ?? 0) + 1);
	}
	return [...counts]
		.sort()
		.map(([status, times]) => `${times} × ${status}`)
		.join(', ');
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
