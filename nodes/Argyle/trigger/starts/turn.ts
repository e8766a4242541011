import { type Origin, PROCESS_ID } from '../state/itemOrigin';
import { DELIVERY_SLOT_MS, PROMPT_MS, REPETITION, TURN } from '../state/timing';

/** Deliveries have three turns, and missed events two. */
const TURNS = 5;

/** A delivery and its repetition, some 30 to 50 s later, never have the same turn. */
const turnOfDelivery = (at: number) => Math.floor(at / DELIVERY_SLOT_MS) % 3;

/** If n8n dropped an execution, an earlier one may still run, so the next one has another turn. */
const turnOfMissed = (usedKeys: number) => (usedKeys === 0 ? 3 : 4);

/**
 * Returns how many milliseconds an execution waits before it asks n8n's processed values. n8n reads and writes them
 * without a transaction, so two executions that ask at once would both find the event new. In the process that received
 * the event, or asked for the execution, executions go one after the other anyway. In another process, a delivery whose
 * execution runs promptly does not wait. All others, such as those that have waited in n8n's queue, take turns by the
 * clock. Such an execution leaves out a turn if the execution of the repeated delivery may run promptly then. All
 * this works only if the clocks of all machines of one n8n agree.
 */
export function delayToTurn(origin: Origin | undefined, now: number): number {
	if (origin === undefined || origin.process === PROCESS_ID) return 0;
	const { at, usedKeys } = origin;
	if (usedKeys === undefined && now - at < PROMPT_MS) return 0;
	const turn = usedKeys === undefined ? turnOfDelivery(at) : turnOfMissed(usedKeys);
	const roundMs = TURNS * TURN.lengthMs;
	const sinceBegin = (now - turn * TURN.lengthMs) % roundMs;
	const delay = sinceBegin < TURN.openMs ? 0 : roundMs - sinceBegin;
	const age = now + delay - at;
	const meetsRepetition = usedKeys === undefined && age >= REPETITION.fromMs && age < REPETITION.toMs;
	return meetsRepetition ? delay + roundMs : delay;
}
