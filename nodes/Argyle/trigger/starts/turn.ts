import { type Origin, PROCESS_ID } from '../state/origin';
import { DELIVERY_SLOT_MS, PROMPT_MS, TURN } from '../state/timing';

/** Deliveries have three turns, and missed events two. */
const TURNS = 5;

/** A delivery and its repetition, some 30 to 50 s later, never have the same one. */
const turnOfDelivery = (at: number) => Math.floor(at / DELIVERY_SLOT_MS) % 3;

/** If n8n dropped an execution, an earlier one may still run, so the next one has another turn. */
const turnOfMissed = (dropped: number) => (dropped === 0 ? 3 : 4);

/**
 * Returns how many milliseconds an execution waits before it asks n8n's store, because the store can't tell apart two
 * executions that ask at once. In the process that received the event, or asked for the execution, executions go one
 * after the other anyway. In another process, a delivery whose execution begins promptly is alone, because its
 * repetition and the search for missed events come later. All others, such as those that have waited in n8n's queue,
 * take turns by the clock. The machines of one n8n have the same time.
 */
export function delayToTurn(origin: Origin | undefined, now: number): number {
	if (origin === undefined || origin.process === PROCESS_ID) return 0;
	const { at, dropped } = origin;
	if (dropped === undefined && now - at < PROMPT_MS) return 0;
	const turn = dropped === undefined ? turnOfDelivery(at) : turnOfMissed(dropped);
	const roundMs = TURNS * TURN.lengthMs;
	const sinceBegin = (now - turn * TURN.lengthMs) % roundMs;
	return sinceBegin < TURN.openMs ? 0 : roundMs - sinceBegin;
}
