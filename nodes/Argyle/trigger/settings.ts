import type { IDataObject } from 'n8n-workflow';

import { readBoolean } from '../shared/parameters';
import { asBoolean } from '../utils/coerce';
import { isDataObject } from '../utils/json';

/** What the contexts of hooks, deliveries and the watch know of the trigger's parameters. */
interface Parameters {
	getNodeParameter(name: string, fallback?: unknown): unknown;
	getWorkflow(): { name?: string };
}

export function optionsOf(context: Parameters): IDataObject {
	const options = context.getNodeParameter('options', {});
	return isDataObject(options) ? options : {};
}

/** Whether the trigger asks for forms, instead of having events delivered. */
export function isPolling(context: Parameters): boolean {
	return context.getNodeParameter('receiveBy', 'webhook') === 'polling';
}

/** For events that have none, n8n does not show the parameter and gives no value. */
export function includesUserForm(context: Parameters): boolean {
	return asBoolean(context.getNodeParameter('includeUserForm', false)) !== false;
}

/** The `name` of every event, unless the person has named the subscription. */
export function defaultName({ name }: { name?: string }): string {
	return `n8n – ${name}`;
}

/** The `name` of every event: that of the subscription. */
export function eventName(context: Parameters): string {
	const { subscriptionName } = optionsOf(context);
	const chosenName = typeof subscriptionName === 'string' ? subscriptionName.trim() : '';
	return chosenName || defaultName(context.getWorkflow());
}

/** The options that are on or off; `subscriptionRequest` reads Include Resource. */
const SWITCHES: Array<[name: string, displayName: string]> = [
	['catchUp', 'Catch Up on Missed Forms'],
	['onlyFromArgyle', 'Only From Argyle'],
	['skipDuplicates', 'Skip Duplicates'],
	['testWithNewestForm', 'Test With Newest Form'],
];

/** Throws ArgyleError when something that is on or off is neither. */
export function assertSwitches(context: Parameters): void {
	readBoolean(context.getNodeParameter('includeUserForm', false), 'Include User Form');
	const options = optionsOf(context);
	for (const [name, displayName] of SWITCHES) if (name in options) readBoolean(options[name], displayName);
}
