import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { submittedForm } from '../api/delivery';
import { needsRecordForKey, keyOfEvent, keyOfPart } from '../api/eventSources';
import { labelEvent } from '../shared/executionLabels';
import { mapConcurrently } from '../utils/concurrency';
import { completeEvent } from './starts/completeEvent';
import { deliveredKey } from './starts/deliveredKey';
import { recordStarts } from './starts/recordStarts';
import { needsTestEvent, testEvent } from './starts/testEvent';
import { PROCESS_ID, splitOrigin } from './state/itemOrigin';
import { Trigger } from './state/trigger';

/** How many events of one execution are completed at the same time. */
const MAX_AT_ONCE = 20;

/**
 * Only in these modes does an execution record its events in n8n's processed values, its durable store. A test records
 * nothing.
 */
const START_MODES = ['webhook', 'trigger', 'retry'];

const definedIn = (keys: Array<string | undefined>) => keys.filter((key) => key !== undefined);

/** An item of `webhook()` or the watch, and where it comes from. */
type Received = ReturnType<typeof splitOrigin>;

/** Returns the key of an event that comes from `webhook()` or the watch. Undefined if only the record tells the key. */
const knownKey = ({ item, origin }: Received): string | undefined => keyOfEvent(item) ?? origin?.key;

/**
 * As `knownKey`, for several items. Reads the record of an event if only the record tells the key. An event without a
 * key starts the workflow each time.
 */
async function keysOf(context: IExecuteFunctions, received: Received[]): Promise<Array<string | undefined>> {
	return await Promise.all(received.map(async (each) => knownKey(each) ?? (await deliveredKey(context, each.item))));
}

function logOthers({ logger }: IExecuteFunctions, keys: string[], isRetry: boolean): void {
	const names = keys.join(', ');
	if (isRetry) logger.info(`A retry starts this workflow again for the event ${names}`);
	else logger.info(`This workflow has started before for the event ${names}, and does not start again`);
}

/**
 * Returns the events that start the workflow now, and undefined for each event that has started it before. All are
 * completed, then all are recorded, then they go on, so that a killed execution loses none. Throws when n8n's processed
 * values can't be asked.
 */
async function startingEvents(
	context: IExecuteFunctions,
	trigger: Trigger,
	received: Received[],
	keys: Array<string | undefined>,
): Promise<Array<IDataObject | undefined>> {
	const complete = async (index: number, signal?: AbortSignal) =>
		await completeEvent(context, trigger, received[index].item, signal);
	// Each event gets a signal of its own, because Node warns when too many listeners wait for the execution's signal.
	const run = { count: received.length, concurrency: MAX_AT_ONCE, signal: context.getExecutionCancelSignal() };
	const events =
		received.length === 1
			? [await complete(0)]
			: await mapConcurrently(run, async (index, { signal }) => await complete(index, signal));
	const parts = keys.map((key, index) => (key === undefined ? undefined : keyOfPart(received[index].item, key)));
	const started = await recordStarts(context, trigger.key, definedIn([...keys, ...parts]), received[0].origin);
	// Whoever retries an execution for one event wants that event again. Of several events, most have started the workflow
	// before.
	const isRetry = context.getMode() === 'retry' && received.length === 1;
	const isFirst = keys.map((key, index) => key === undefined || started.delete(parts[index] ?? key));
	const others = definedIn(keys.filter((_, index) => !isFirst[index]));
	if (others.length > 0) logOthers(context, others, isRetry);
	return events.map((event, index) => (isRetry || isFirst[index] ? event : undefined));
}

/** As `startingEvents`. It also finishes the start of each event, or loses it on a failure. */
async function startEvents(
	context: IExecuteFunctions,
	trigger: Trigger,
	received: Received[],
): Promise<Array<IDataObject | undefined>> {
	if (received.length === 0) return [];
	const { starts } = trigger;
	const known = received.map(knownKey);
	// If all keys are known, this waits for nothing, so that a look sees at once that these events run.
	const keys = known.includes(undefined) ? await keysOf(context, received) : known;
	const defined = definedIn(keys);
	for (const key of defined) starts.run(key, Date.now());
	const events = startingEvents(context, trigger, received, keys);
	await events.then(
		() => defined.forEach((key) => starts.finish(key, Date.now())),
		() => defined.forEach((key) => starts.lose(key, Date.now(), 'failed')),
	);
	starts.advance();
	return await events;
}

async function otherEvent(context: IExecuteFunctions, trigger: Trigger, item: IDataObject): Promise<IDataObject> {
	const isCompleted = [...START_MODES, 'manual'].includes(context.getMode());
	return isCompleted ? await completeEvent(context, trigger, item) : item;
}

/**
 * The trigger's part of an execution. It completes each event, and drops an event that n8n's processed values have
 * already. In a test, an event always goes on, and so does the only event of a retried execution. `onFailure` gets the
 * error of an item, and returns what comes out in its place. Throws what `onFailure` throws.
 */
export async function runExecution(
	context: IExecuteFunctions,
	onFailure: (error: unknown, item: number) => INodeExecutionData,
): Promise<INodeExecutionData[]> {
	const trigger = Trigger.of(context);
	if (needsTestEvent(context))
		return await testEvent(context, trigger).then(
			(json) => [{ json }],
			(error: unknown) => [onFailure(error, 0)],
		);
	const input = context.getInputData();
	const [first] = input.map(({ json }) => splitOrigin(json).origin);
	// When this execution ends, n8n saves its copy of static data. It ends at once, so nobody else has saved meanwhile.
	if (first?.isSaving === true && first.process === PROCESS_ID) trigger.save(context);
	if (first?.isSaving === true) return [];
	// `webhook()` gives an origin to each event that starts the workflow once. An older version gave none to forms.
	const isMarked = (received: Received) =>
		received.origin !== undefined && (knownKey(received) !== undefined || needsRecordForKey(received.item));
	const startsWorkflow = ({ json }: INodeExecutionData) =>
		START_MODES.includes(context.getMode()) && (isMarked(splitOrigin(json)) || submittedForm(json) !== undefined);
	const starting = input.filter(startsWorkflow);
	const started = startEvents(
		context,
		trigger,
		starting.map(({ json }) => splitOrigin(json)),
	);
	const eventOf = async (item: INodeExecutionData) =>
		startsWorkflow(item) ? (await started)[starting.indexOf(item)] : await otherEvent(context, trigger, item.json);
	const output: INodeExecutionData[] = [];
	for (const [index, item] of input.entries()) {
		const [result] = await Promise.allSettled([eventOf(item)]);
		if (result.status === 'rejected') output.push(onFailure(result.reason, index));
		else if (result.value !== undefined) {
			labelEvent(context, result.value);
			output.push({ ...item, json: result.value });
		}
	}
	return output;
}
