import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { submittedForm } from '../api/delivery';
import { labelEvent } from '../shared/executionLabels';
import { moveBookmark } from './state/bookmark';
import { completeEvent } from './starts/completeEvent';
import { recordForm } from './starts/processedForms';
import { saveStartedForms } from './state/savedState';
import { takeState, type TriggerState } from './state/staticData';
import { needsTestEvent, testEvent } from './starts/testEvent';
import { triggerMemory, watchesHere } from './state/triggerMemory';

/** So many starts may be unsaved: after a crash each costs an execution that ends at the trigger. */
const MAX_UNSAVED = 20;

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
	if (isLast || !watchesHere(memory)) saveStartedForms(context, sent);
	return !wasProcessed;
}

async function startedEvent(context: IExecuteFunctions, received: IDataObject): Promise<IDataObject | undefined> {
	const { item, state } = takeState(received);
	const form = submittedForm(item);
	const isFirst = form === undefined || (await isFirstStart(context, form, state));
	return isFirst || context.getMode() === 'retry' ? await completeEvent(context, item) : undefined;
}

async function eventOf(context: IExecuteFunctions, received: IDataObject): Promise<IDataObject | undefined> {
	const mode = context.getMode();
	if (['webhook', 'trigger', 'retry'].includes(mode)) return await startedEvent(context, received);
	return mode === 'manual' ? await completeEvent(context, received) : received;
}

/**
 * The trigger's part of an execution. A form goes on once, whichever way and how often it came, by n8n's own store of
 * processed values, and with all that its event lacks. A test's event goes on as it is, but for what it lacks, and a
 * retry always does. `onFailure` gets what an item failed with, such as that the store can't be asked, and returns what
 * comes out in its place: the others go on, because their forms are recorded. Throws what `onFailure` throws.
 */
export async function runExecution(
	context: IExecuteFunctions,
	onFailure: (error: unknown, item: number) => INodeExecutionData,
): Promise<INodeExecutionData[]> {
	if (needsTestEvent(context))
		return await testEvent(context).then(
			(event) => context.helpers.returnJsonArray(event),
			(error: unknown) => [onFailure(error, 0)],
		);
	const output: INodeExecutionData[] = [];
	for (const [item, received] of context.getInputData().entries()) {
		const result = await eventOf(context, received.json).then(
			(json) => ({ json }),
			(error: unknown) => ({ failed: onFailure(error, item) }),
		);
		if ('failed' in result) output.push(result.failed);
		else if (result.json !== undefined) {
			labelEvent(context, result.json);
			output.push({ ...received, json: result.json });
		}
	}
	return output;
}
