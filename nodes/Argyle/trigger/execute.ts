import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { submittedForm } from '../api/delivery';
import { labelEvent } from '../shared/executionLabels';
import { furthest, moveBookmark } from './forms/bookmark';
import { completeEvent } from './forms/completeEvent';
import { recordForm } from './forms/processedForms';
import { readState, takeState, type TriggerState, writeState } from './staticData';
import { needsTestEvent, testEvent } from './testEvent';
import { triggerMemory } from './triggerMemory';

/** So many starts may be unsaved: after a crash each costs an execution that ends at the trigger. */
const MAX_UNSAVED = 20;

/**
 * Saves how far forms have started the workflow; n8n does it at the end of the execution. `sent` came with the form:
 * n8n gives a worker no static data, and saves what the worker has as the whole.
 */
function saveStartedForms(context: IExecuteFunctions, sent: TriggerState): void {
	const memory = triggerMemory(context);
	const staticData = context.getWorkflowStaticData('node');
	const stored = readState(staticData);
	const isWatched = memory.watch !== undefined;
	const bookmark = isWatched ? memory.bookmark : furthest(sent.bookmark, stored.bookmark);
	if (bookmark === undefined) return;
	const own = memory.forms.begun();
	const others = isWatched ? [] : stored.startedForms.filter((form) => !own.includes(form));
	const registered = memory.registered ?? stored.registered ?? sent.registered;
	writeState(staticData, { registered, bookmark, startedForms: [...others, ...own] });
	memory.unsavedStarts = 0;
}

/** Records that the form starts the workflow. Returns whether it does so for the first time. */
async function isFirstStart(context: IExecuteFunctions, form: string, sent: TriggerState): Promise<boolean> {
	const memory = triggerMemory(context);
	memory.waitingExecutions++;
	const wasProcessed = await recordForm(context, form).catch((error: unknown) => {
		memory.waitingExecutions--;
		throw error;
	});
	// Only now, so that of those that were recorded together one after the other sees how many are left.
	memory.waitingExecutions--;
	memory.forms.begin(form, Date.now());
	memory.unsavedStarts++;
	moveBookmark(context);
	// Of forms that come together the last one saves all. A worker always does: what it doesn't save is wiped out when a
	// later node saves something.
	const isLast = memory.waitingExecutions === 0 || memory.unsavedStarts >= MAX_UNSAVED;
	if (isLast || memory.watch === undefined) saveStartedForms(context, sent);
	return !wasProcessed;
}

async function startedEvent(context: IExecuteFunctions, received: IDataObject): Promise<IDataObject | undefined> {
	const { item, state } = takeState(received);
	const form = submittedForm(item);
	const isFirst = form === undefined || (await isFirstStart(context, form, state));
	return isFirst || context.getMode() === 'retry' ? await completeEvent(context, item) : undefined;
}

/**
 * The trigger's part of an execution. A form goes on once, whichever way and how often it came, by n8n's own store of
 * processed values, and with all that its event lacks. A test's event goes on as it is, but for what it lacks, and a
 * retry always does. Throws ArgyleError when the store fails.
 */
export async function runExecution(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	if (needsTestEvent(context)) return context.helpers.returnJsonArray(await testEvent(context));
	const items = context.getInputData();
	const mode = context.getMode();
	const started: INodeExecutionData[] = [];
	for (const received of items) {
		const json = ['webhook', 'trigger', 'retry'].includes(mode)
			? await startedEvent(context, received.json)
			: mode === 'manual'
				? await completeEvent(context, received.json)
				: received.json;
		if (json === undefined) continue;
		labelEvent(context, json);
		started.push({ ...received, json });
	}
	return started;
}
