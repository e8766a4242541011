import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { ArgyleError } from '../transport/errors';
import { clock } from '../utils/clock';
import { KeyedMutex } from '../utils/concurrency';
import { readState, writeState } from './staticData';
import { submittedForm, takeBookmark } from './submittedForm';
import { triggerKey, triggerMemory } from './triggerMemory';

/** More than come in the time that is read back. n8n reads and writes them as a whole for each form. */
const MAX_PROCESSED = 5_000;

const MAX_TRIES = 4;

/** Longer than n8n takes to read and write the processed values, and different in each process. */
const recheckDelay = () => 100 + Math.random() * 200;

/** n8n reads and writes the processed values without a transaction. */
const mutex = new KeyedMutex();

async function isProcessed(context: IExecuteFunctions, form: string): Promise<boolean> {
	const { processed } = await context.helpers.checkProcessedAndRecord([form], 'node', {
		mode: 'entries',
		maxEntries: MAX_PROCESSED,
	});
	return processed.length > 0;
}

/** Two processes that store a trigger's first value at the same time collide; the second try finds the other's. */
async function recordOnce(context: IExecuteFunctions, form: string): Promise<boolean> {
	for (let tries = 1; ; tries++) {
		const outcome: { wasProcessed: boolean } | { error: unknown } = await isProcessed(context, form).then(
			(wasProcessed) => ({ wasProcessed }),
			(error: unknown) => ({ error }),
		);
		if ('wasProcessed' in outcome) return outcome.wasProcessed;
		if (tries === MAX_TRIES) {
			throw new ArgyleError(
				"n8n could not tell whether this form has started the workflow before, so the workflow didn't go on",
				`Retry this execution once n8n's database works again. n8n says: ${String(outcome.error)}`,
			);
		}
		await clock.pause(recheckDelay());
	}
}

/** What another process stores at the same moment can undo a recorded value, so it is read once more. */
async function ensureRecorded(context: IExecuteFunctions, form: string): Promise<void> {
	for (let tries = 1; tries < MAX_TRIES; tries++) {
		await clock.pause(recheckDelay());
		if (await recordInTurn(context, form)) return;
	}
}

async function recordInTurn(context: IExecuteFunctions, form: string): Promise<boolean> {
	return await mutex.run(triggerKey(context), async () => await recordOnce(context, form));
}

/** Whether the form starts the workflow now, in whichever process and for the first time. */
async function startsNow(context: IExecuteFunctions, form: string): Promise<boolean> {
	if (await recordInTurn(context, form)) return false;
	const memory = triggerMemory(context);
	// Then all executions of this n8n run in this process.
	const isReceiver = memory.publishedUrl !== undefined || memory.forms.get(form) === true;
	if (!isReceiver) await ensureRecorded(context, form);
	return true;
}

/** Saves n8n a needless execution after a restart. Of parallel executions the last one's static data stays. */
function noteStart(context: IExecuteFunctions, form: string, bookmark: number | undefined): void {
	const memory = triggerMemory(context);
	const staticData = context.getWorkflowStaticData('node');
	const state = readState(staticData);
	for (const earlier of state.startedForms) {
		if (memory.startedForms.get(earlier) === undefined) memory.startedForms.set(earlier, true);
	}
	memory.startedForms.set(form, true);
	const bookmarks = [state.bookmark, bookmark].filter((time) => time !== undefined);
	writeState(staticData, {
		registered: memory.registered ?? state.registered,
		bookmark: bookmarks.length === 0 ? undefined : Math.max(...bookmarks),
		startedForms: memory.startedForms.keys(),
	});
}

/**
 * The trigger's part of an execution: a form goes on once, whichever way and how often it came, by n8n's own store of
 * processed values. Tests and manual executions are not touched, and a retry always goes on. Throws ArgyleError when
 * the store fails.
 */
export async function startOnce(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const items = context.getInputData();
	const mode = context.getMode();
	if (!['webhook', 'trigger', 'retry'].includes(mode)) return items;
	const started: INodeExecutionData[] = [];
	for (const received of items) {
		const { item, bookmark } = takeBookmark(received.json);
		const form = submittedForm(item);
		if (form !== undefined) {
			if (!(await startsNow(context, form)) && mode !== 'retry') continue;
			noteStart(context, form, bookmark);
		}
		started.push({ ...received, json: item });
	}
	return started;
}
