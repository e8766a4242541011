import type { SentEvent } from './eventSource.mts';

/** An event and the number of executions that ran with it. */
interface TracedEvent {
	isRetried: boolean;
	/** Status of the last attempt: undefined without a subscription, null without an answer. */
	status: number | null | undefined;
	/** n8n answers 200 to everything before it has started. */
	isStartPage: boolean;
	isLost: boolean;
	executions: number;
}

const OUTCOMES: Record<string, (event: TracedEvent) => boolean> = {
	events: () => true,
	run: ({ isLost }) => !isLost,
	'run after a retry': ({ isLost, isRetried }) => !isLost && isRetried,
	'run twice': ({ executions }) => executions > 1,
	'accepted, then lost': ({ isLost, status, isStartPage }) => isLost && status === 200 && !isStartPage,
	'lost despite the retry': ({ isLost, isRetried, status }) => isLost && isRetried && (status ?? 0) >= 429,
	'genuine, but refused': ({ isLost, status }) => isLost && [401, 403].includes(status ?? 0),
	'lost: n8n had no such address (404)': ({ isLost, status }) => isLost && status === 404,
	'lost: no subscription at that time': ({ isLost, status }) => isLost && status === undefined,
	'lost: n8n was not running': ({ isLost, status }) => isLost && status === null,
	"lost: n8n's start page answered 200": ({ isLost, isStartPage }) => isLost && isStartPage,
};

/** What a trigger can prevent; the others only n8n, or a proxy in front of it, can. */
export const PREVENTABLE = ['run twice', 'accepted, then lost', 'lost despite the retry', 'genuine, but refused'];

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Counts each outcome by its name; `executionData` is the data of each execution, as n8n stores it. */
export function countOutcomes(events: SentEvent[], executionData: string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const id of executionData.flatMap((data) => [...new Set(data.match(UUID))]))
		counts.set(id, (counts.get(id) ?? 0) + 1);
	const traced = events.map(({ id, attempts }): TracedEvent => {
		const executions = counts.get(id) ?? 0;
		const last = attempts.at(-1);
		const isStartPage = last?.body.includes('n8n is starting up') === true;
		return { isRetried: attempts.length > 1, status: last?.status, isStartPage, isLost: executions === 0, executions };
	});
	return new Map(Object.entries(OUTCOMES).map(([name, applies]) => [name, traced.filter(applies).length]));
}
