import { isWithin } from '../../utils/clock';
import type { ListedRecord } from './listedRecord';
import { SILENT_MS } from './timing';

type State = 'idle' | 'waiting' | 'asked' | 'running' | 'done';

/** The states from which a start may come into each state. */
const BEFORE: Record<State, State[]> = {
	idle: ['waiting', 'asked', 'running'],
	waiting: ['idle'],
	asked: ['idle', 'waiting'],
	running: ['idle', 'waiting', 'asked', 'running'],
	done: ['idle', 'waiting', 'asked', 'running'],
};

/** Why an execution was lost, in words for n8n's log. */
const LOST_BECAUSE = {
	notStored: 'n8n did not store the one before',
	failed: 'the one before failed in the trigger, or was stopped there',
	silent: 'n8n has said nothing of the one before for minutes',
	dropped: 'n8n has one from before its last start, which may have been killed',
	elsewhere: 'another process of n8n has received it, and may have been killed',
};

type LossReason = keyof typeof LOST_BECAUSE;

/** An event that may start the workflow, and how far it has come: see `Starts`. */
export interface Start {
	state: State;
	/** Since when it is in this state, in milliseconds since 1970, by n8n's clock. */
	since: number;
	/**
	 * How many of its deduplication keys n8n may still have: of executions that n8n has dropped for their key, or that
	 * have failed in the trigger. The number is part of the next key. The first time that n8n says nothing of an execution
	 * counts as well. Later times don't: with a new key each time, many executions could wait, run together, and all
	 * find the event new.
	 */
	usedKeys: number;
	/**
	 * Whether an execution may have run that this process does not know of: another process has received the delivery, or
	 * starts the event, or n8n has booted since.
	 */
	mayHaveRun: boolean;
	/** Set once the list has shown its record. */
	listed?: ListedRecord;
	/** Since when this process knows of it, in milliseconds since 1970, by n8n's clock. */
	knownSince: number;
	/** Why its last execution was lost. */
	lostBecause?: LossReason;
}

/** A start whose record the list has shown. */
export type ListedStart = Start & { listed: ListedRecord };

export const newStart = (state: State, now: number): Start => ({
	state,
	since: now,
	usedKeys: 0,
	mayHaveRun: false,
	knownSince: now,
});

export function move(start: Start, state: State, now: number): void {
	if (!BEFORE[state].includes(start.state)) throw new Error(`A start that is ${start.state} can't become ${state}`);
	Object.assign(start, { state, since: now });
	if (start.listed !== undefined) setListed(start, start.listed);
}

/**
 * Remembers what the list has shown. Nobody needs the record of a start that is done. What a person wrote may be in it,
 * so the record is removed from memory.
 */
export const setListed = (start: Start, listed: ListedRecord): ListedStart =>
	Object.assign(start, { listed: start.state === 'done' ? { ...listed, record: {} } : listed });

/** Why the event gets another execution. Undefined if this process knows of none before. */
export function whyAgain({ lostBecause, mayHaveRun }: Partial<Start> = {}): string | undefined {
	const reason = lostBecause ?? (mayHaveRun === true ? 'elsewhere' : undefined);
	return reason && LOST_BECAUSE[reason];
}

/**
 * Whether n8n was asked for an execution, and has said nothing of it for too long. n8n is silent while the execution
 * waits. Up to version 2.14, it is also silent if it could not store the execution.
 */
export const isSilent = ({ state, since }: Start, now: number): boolean =>
	state === 'asked' && !isWithin(SILENT_MS, since, now);
