import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { submittedForm } from '../api/delivery';
import { labelEvent } from '../shared/executionLabels';
import { completeEvent } from './starts/completeEvent';
import { recordStart } from './starts/recordStart';
import { KNOWN, takeOrigin } from './state/origin';
import { needsTestEvent, testEvent } from './starts/testEvent';
import { Trigger } from './state/trigger';

/**
 * Completes the event of a form, then records that it starts the workflow, so that one whose execution is killed in
 * between is not lost. Returns undefined when the form has started the workflow before. Throws when n8n's store fails.
 */
async function formEvent(
	context: IExecuteFunctions,
	trigger: Trigger,
	{ item, origin }: ReturnType<typeof takeOrigin>,
	form: string,
	isKnown: () => Promise<boolean>,
): Promise<IDataObject | undefined> {
	const { starts } = trigger;
	starts.begin(form, Date.now());
	const isRetry = context.getMode() === 'retry';
	try {
		const isEarlier = origin?.isEarlier === true || (origin?.isDoubtful === true && !(await isKnown()));
		const event = isEarlier ? undefined : await completeEvent(context, trigger, item);
		const isFirst = await recordStart(context, trigger.key, form, origin);
		starts.finish(form, Date.now());
		trigger.moveBookmark();
		return isFirst || isRetry ? event : undefined;
	} catch (error) {
		starts.lose(form, Date.now());
		throw error;
	}
}

async function eventOf(
	context: IExecuteFunctions,
	trigger: Trigger,
	received: IDataObject,
	isKnown: () => Promise<boolean>,
): Promise<IDataObject | undefined> {
	const mode = context.getMode();
	const isStart = ['webhook', 'trigger', 'retry'].includes(mode);
	if (!isStart && mode !== 'manual') return received;
	const form = isStart ? submittedForm(received) : undefined;
	if (form !== undefined) return await formEvent(context, trigger, takeOrigin(received), form, isKnown);
	return await completeEvent(context, trigger, received);
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
	const trigger = Trigger.of(context);
	if (needsTestEvent(context))
		return await testEvent(context, trigger).then(
			(event) => context.helpers.returnJsonArray(event),
			(error: unknown) => [onFailure(error, 0)],
		);
	let wasKnown: Promise<boolean> | undefined;
	const isKnown = async () => {
		wasKnown ??= recordStart(context, trigger.key, KNOWN, undefined).then((isFirst) => !isFirst);
		return await wasKnown;
	};
	// Together, because what was received elsewhere comes as many items, and n8n's store takes many forms at once.
	const results = await Promise.all(
		context.getInputData().map(
			async ({ json }) =>
				await eventOf(context, trigger, json, isKnown).then(
					(event) => ({ event }),
					(error: unknown) => ({ error }),
				),
		),
	);
	return results.flatMap((result, index) => {
		if ('error' in result) return [onFailure(result.error, index)];
		if (result.event === undefined) return [];
		labelEvent(context, result.event);
		return [{ ...context.getInputData()[index], json: result.event }];
	});
}
