import type { IExecuteFunctions } from 'n8n-workflow';

import { ArgyleError } from '../../transport/errors';
import { clock, isWithin } from '../../utils/clock';
import { KeyedMutex } from '../../utils/concurrency';
import { MAX_PROCESSED } from '../state/limits';
import { type Origin, PROCESS_ID } from '../state/origin';
import { RECHECK, STORE } from '../state/timing';
import { delayToTurn } from './turn';

interface Batch {
	readonly keys: string[];
	/** The keys that were in the store before. */
	readonly processed: Promise<string[]>;
}

/** n8n reads and writes the processed values without a transaction. */
const mutex = new KeyedMutex();

/**
 * By trigger: the keys that will be stored together. A busy n8n takes long for each access to its store, so each one
 * takes all keys that wait.
 */
const waiting = new Map<string, Batch>();

/** Each wait has a length of its own, so that two processes that have collided don't collide again. */
const jitter = () => 0.5 + Math.random();

async function processedOf(context: IExecuteFunctions, keys: string[]): Promise<string[]> {
	const { processed } = await context.helpers.checkProcessedAndRecord(keys, 'node', {
		mode: 'entries',
		maxEntries: MAX_PROCESSED,
	});
	return processed.map(String);
}

const notRecorded = (error: unknown) =>
	new ArgyleError(
		"n8n could not tell whether this event has started the workflow before, so the workflow didn't go on",
		`The event is tried again. n8n says: ${String(error)}`,
	);

function openBatch(context: IExecuteFunctions, trigger: string): Batch {
	const keys: string[] = [];
	const processed = mutex.run(trigger, async () => {
		if (waiting.get(trigger) === batch) waiting.delete(trigger);
		return await processedOf(context, keys);
	});
	const batch = { keys, processed };
	waiting.set(trigger, batch);
	return batch;
}

/** Returns which of the keys were in the store before. */
async function recordTogether(context: IExecuteFunctions, trigger: string, keys: string[]): Promise<Set<string>> {
	const open = waiting.get(trigger);
	// The store recognizes equal keys only if they come one after the other.
	const needsNewBatch = open === undefined || keys.some((key) => open.keys.includes(key));
	const batch = needsNewBatch ? openBatch(context, trigger) : open;
	batch.keys.push(...keys);
	return new Set(await batch.processed);
}

/**
 * Writes recorded values again until they stay, because another process that stores at the same moment can undo them.
 * Missing values are looked for again soon: the next turn must find them.
 */
async function keepRecorded(context: IExecuteFunctions, trigger: string, keys: string[], tookMs: number) {
	const since = Date.now();
	const soonMs = Math.max(RECHECK.minMs, 2 * tookMs);
	let pauseMs = soonMs;
	for (let seen = 0; seen < 2 && isWithin(STORE.maxElapsedMs, since, Date.now()); ) {
		await clock.pause(pauseMs * jitter());
		const there = await recordTogether(context, trigger, keys).catch(() => undefined);
		const areMissing = there !== undefined && keys.some((key) => !there.has(key));
		seen = there === undefined || areMissing ? 0 : seen + 1;
		// A store that fails, such as that of a locked database, is left alone for a while.
		pauseMs = areMissing ? soonMs : RECHECK.againMs;
	}
}

/**
 * Waits for the turn of the execution. Throws when the execution was stopped, because n8n then ignores what it does.
 */
async function waitForTurn(context: IExecuteFunctions, origin: Origin | undefined): Promise<void> {
	const delay = delayToTurn(origin, Date.now());
	const signal = context.getExecutionCancelSignal();
	if (delay > 0) await clock.pause(delay, signal);
	signal?.throwIfAborted();
}

/**
 * Records in n8n's durable store what starts the workflow, such as forms by their IDs, and returns those that do so for
 * the first time. Any process may call it. The store may fail, because two processes that store a trigger's first value
 * at the same time collide, or because a database is locked or restarted: then it is asked again. Throws ArgyleError
 * after some minutes, or the reason for which the execution was stopped.
 */
export async function recordStarts(
	context: IExecuteFunctions,
	trigger: string,
	keys: string[],
	origin: Origin | undefined,
): Promise<Set<string>> {
	if (keys.length === 0) return new Set();
	const deadline = Date.now() + STORE.maxElapsedMs;
	for (let pauseMs = 200; ; pauseMs = Math.min(pauseMs * 2, STORE.maxPauseMs)) {
		await waitForTurn(context, origin);
		const askedAt = Date.now();
		const [recorded] = await Promise.allSettled([recordTogether(context, trigger, keys)]);
		if (recorded.status === 'fulfilled') {
			const added = keys.filter((key) => !recorded.value.has(key));
			// If this process has received the event itself, or asked for the execution, it runs all executions, and the
			// mutex is enough.
			if (added.length > 0 && origin?.process !== PROCESS_ID)
				void keepRecorded(context, trigger, added, Date.now() - askedAt);
			return new Set(added);
		}
		if (askedAt > deadline) throw notRecorded(recorded.reason);
		await clock.pause(pauseMs * jitter(), context.getExecutionCancelSignal());
	}
}
