import type { IExecuteFunctions } from 'n8n-workflow';

import { ArgyleError } from '../../transport/errors';
import { clock } from '../../utils/clock';
import { KeyedMutex } from '../../utils/concurrency';
import { triggerKey, triggerMemory, watchesHere } from '../state/triggerMemory';

/** More forms than come in the time that is read back. n8n reads and writes them as a whole each time. */
const MAX_PROCESSED = 2_000;

const MAX_TRIES = 4;

/** Longer than n8n takes to read and write the processed values, and different in each process. */
const recheckDelay = () => 100 + Math.random() * 200;

interface Batch {
	readonly forms: string[];
	/** Those of the forms that were in the store before. */
	readonly processed: Promise<string[]>;
}

/** n8n reads and writes the processed values without a transaction. */
const mutex = new KeyedMutex();

/** By trigger, the forms that go to the store together in its next turn: a busy n8n takes long for each turn. */
const waiting = new Map<string, Batch>();

async function processedOf(context: IExecuteFunctions, forms: string[]): Promise<string[]> {
	const { processed } = await context.helpers.checkProcessedAndRecord(forms, 'node', {
		mode: 'entries',
		maxEntries: MAX_PROCESSED,
	});
	return processed.map(String);
}

/** Two processes that store a trigger's first value at the same time collide; the second try finds the other's. */
async function recordAll(context: IExecuteFunctions, forms: string[]): Promise<string[]> {
	for (let tries = 1; ; tries++) {
		const outcome: { processed: string[] } | { error: unknown } = await processedOf(context, forms).then(
			(processed) => ({ processed }),
			(error: unknown) => ({ error }),
		);
		if ('processed' in outcome) return outcome.processed;
		if (tries === MAX_TRIES) {
			throw new ArgyleError(
				"n8n could not tell whether this form has started the workflow before, so the workflow didn't go on",
				`Retry this execution once n8n's database works again. n8n says: ${String(outcome.error)}`,
			);
		}
		await clock.pause(recheckDelay());
	}
}

function openBatch(context: IExecuteFunctions, key: string): Batch {
	const forms: string[] = [];
	const processed = mutex.run(key, async () => {
		if (waiting.get(key) === batch) waiting.delete(key);
		return await recordAll(context, forms);
	});
	const batch = { forms, processed };
	waiting.set(key, batch);
	return batch;
}

/** Returns whether the form was in the store before. */
async function recordInTurn(context: IExecuteFunctions, form: string): Promise<boolean> {
	const key = triggerKey(context);
	const open = waiting.get(key);
	// The store tells equal forms apart only in different turns.
	const batch = open === undefined || open.forms.includes(form) ? openBatch(context, key) : open;
	batch.forms.push(form);
	return (await batch.processed).includes(form);
}

/** What another process stores at the same moment can undo a recorded value, so it is read once more. */
async function ensureRecorded(context: IExecuteFunctions, form: string): Promise<void> {
	for (let tries = 1; tries < MAX_TRIES; tries++) {
		await clock.pause(recheckDelay());
		if (await recordInTurn(context, form)) return;
	}
}

/**
 * Records the form in n8n's durable store, in whichever process. Returns whether it was there before. Throws
 * ArgyleError when the store fails.
 */
export async function recordForm(context: IExecuteFunctions, form: string): Promise<boolean> {
	const wasProcessed = await recordInTurn(context, form);
	const memory = triggerMemory(context);
	// In the process that watches the trigger, or received the form, all executions of this n8n run.
	if (!wasProcessed && !watchesHere(memory) && !memory.forms.has(form)) await ensureRecorded(context, form);
	return wasProcessed;
}
