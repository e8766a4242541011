import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { recordForm } from './forms/processedForms';
import { readState, type TriggerState, writeState } from './staticData';
import { submittedForm, takeState } from './submittedForm';
import { triggerMemory } from './triggerMemory';

/** A crash costs each of them an execution that ends at the trigger. */
const MAX_UNNOTED = 20;

/**
 * Saves n8n a needless execution after a restart. n8n saves static data as a whole at the end of the execution, so of
 * forms that come together only the last one notes all. `sent` came with the form: n8n gives a worker no static data,
 * and saves what the worker has.
 */
function noteStart(context: IExecuteFunctions, form: string, sent: TriggerState, isLast: boolean): void {
	const memory = triggerMemory(context);
	memory.startedForms.set(form, true);
	memory.unnotedForms++;
	if (!isLast && memory.unnotedForms < MAX_UNNOTED) return;
	memory.unnotedForms = 0;
	const staticData = context.getWorkflowStaticData('node');
	const state = readState(staticData);
	const own = new Set(memory.startedForms.keys());
	const bookmarks = [state.bookmark, sent.bookmark].filter((time) => time !== undefined);
	writeState(staticData, {
		registered: memory.registered ?? state.registered ?? sent.registered,
		bookmark: bookmarks.length === 0 ? undefined : Math.max(...bookmarks),
		startedForms: [...state.startedForms.filter((other) => !own.has(other)), ...own],
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
		const { item, state } = takeState(received.json);
		const form = submittedForm(item);
		if (form !== undefined) {
			const { wasProcessed, isLast } = await recordForm(context, form);
			noteStart(context, form, state, isLast);
			if (wasProcessed && mode !== 'retry') continue;
		}
		started.push({ ...received, json: item });
	}
	return started;
}
