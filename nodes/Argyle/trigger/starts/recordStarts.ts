import type { IExecuteFunctions } from 'n8n-workflow';

import { ArgyleError } from '../../transport/errors';
import { clock, isWithin } from '../../utils/clock';
import { KeyedMutex } from '../../utils/concurrency';
import { MAX_PROCESSED } from '../state/limits';
import { type Origin, PROCESS_ID } from '../state/itemOrigin';
import { RECHECK, STORE } from '../state/timing';
import { delayToTurn } from './turn';

interface Batch {
	readonly keys: string[];
	/** The keys that were recorded before. */
	readonly recorded: Promise<Set<string>>;
}

/** When this process has last written a key, and when it has seen since then that the key is still there. */
interface Written {
	at: number;
	seenAt?: number;
}

/**
 * n8n reads and writes the processed values of a node as a whole, without a transaction. n8n writes them even if
 * nothing is new, so each access can undo what another process has written meanwhile.
 */
const mutex = new KeyedMutex();

/**
 * By trigger: the keys that will be stored together. A busy n8n takes long for each access, so each access takes all
 * keys that wait.
 */
const waiting = new Map<string, Batch>();

/** By trigger: the keys that this process has recorded lately. Each access writes all of them again. */
const kept = new Map<string, Map<string, Written>>();

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

/**
 * Records keys, and records again those that this process has recorded lately. Returns all that were recorded before.
 */
async function record(context: IExecuteFunctions, trigger: string, keys: string[]): Promise<Set<string>> {
	const again = [...(kept.get(trigger)?.keys() ?? [])].filter((key) => !keys.includes(key));
	const there = new Set(await processedOf(context, [...keys, ...again]));
	const now = Date.now();
	const lately = kept.get(trigger) ?? new Map<string, Written>();
	for (const [key, written] of lately) {
		if (there.has(key)) written.seenAt = now;
		else lately.set(key, { at: now });
	}
	return new Set([...there, ...lately.keys()]);
}

function openBatch(context: IExecuteFunctions, trigger: string): Batch {
	const keys: string[] = [];
	const recorded = mutex.run(trigger, async () => {
		if (waiting.get(trigger) === batch) waiting.delete(trigger);
		return await record(context, trigger, keys);
	});
	const batch = { keys, recorded };
	waiting.set(trigger, batch);
	return batch;
}

/** Returns which of the keys were recorded before. */
async function recordTogether(context: IExecuteFunctions, trigger: string, keys: string[]): Promise<Set<string>> {
	const open = waiting.get(trigger);
	// Within one access, n8n does not recognize equal keys. It does so only in two accesses, one after the other.
	const needsNewBatch = open === undefined || keys.some((key) => open.keys.includes(key));
	const batch = needsNewBatch ? openBatch(context, trigger) : open;
	batch.keys.push(...keys);
	return await batch.recorded;
}

const isSettled = ({ at, seenAt = at }: Written) => seenAt - at >= RECHECK.settledMs;

/**
 * Writes recorded keys again until they stay, because another process that writes at the same moment can undo them. A
 * key is soon looked for again, because an execution in the next turn must find it. An access for other keys looks for
 * it as well.
 */
async function keepRecorded(context: IExecuteFunctions, trigger: string, keys: string[], tookMs: number) {
	const since = Date.now();
	const lately = kept.get(trigger) ?? new Map<string, Written>();
	kept.set(trigger, lately);
	for (const key of keys) lately.set(key, { at: since });
	const written = () => keys.flatMap((key) => lately.get(key) ?? []);
	const areSeen = () => written().every(({ seenAt }) => seenAt !== undefined);
	// If the database fails, for example because it is locked, it is left alone for a while.
	let hasFailed = false;
	while (!written().every(isSettled) && isWithin(STORE.maxElapsedMs, since, Date.now())) {
		const wereSeen = areSeen();
		const isSoon = !wereSeen && !hasFailed;
		await clock.pause((isSoon ? Math.max(RECHECK.minMs, 2 * tookMs) : RECHECK.againMs) * jitter());
		if (areSeen() && !wereSeen) continue;
		hasFailed = await recordTogether(context, trigger, []).then(
			() => false,
			() => true,
		);
	}
	for (const key of keys) lately.delete(key);
	if (lately.size === 0) kept.delete(trigger);
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
 * Records in n8n's processed values, its durable store, the keys of what starts the workflow, and returns those that
 * were new. Any process may call it. Recording can fail: two processes that record a trigger's first value at once
 * collide, or the database is locked or restarted. Then it is tried again. Throws ArgyleError after some minutes, or
 * the reason for which the execution was stopped.
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
			// If this process has also received the event, or asked for the execution, n8n runs all executions in this
			// process, and the mutex is enough.
			if (added.length > 0 && origin?.process !== PROCESS_ID)
				void keepRecorded(context, trigger, added, Date.now() - askedAt);
			return new Set(added);
		}
		if (askedAt > deadline) throw notRecorded(recorded.reason);
		await clock.pause(pauseMs * jitter(), context.getExecutionCancelSignal());
	}
}
