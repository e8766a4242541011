import type { IDataObject } from 'n8n-workflow';

import { isRefreshOver } from '../../api/connectionLost';
import { FORM_SUBMITTED, isSubscribed } from '../../api/delivery';
import { ALL_EVENTS, choosesConnectionLost, CONNECTION_LOST, eventNames } from '../../api/events';
import { EVENT_SOURCES, eventOfKey, sourceOf } from '../../api/eventSources';
import { defaultName } from '../../shared/subscriptionRequest';
import { isOn, readBoolean } from '../../shared/parameters';
import { ArgyleError } from '../../transport/errors';
import { asBoolean } from '../../utils/coerce';
import { isDataObject } from '../../utils/json';
import type { ListedRecord } from './listedRecord';

/** What the contexts of hooks, deliveries and the watch know of the trigger's parameters. */
interface ParameterContext {
	getNodeParameter(name: string, fallback?: unknown): unknown;
	getWorkflow(): { name?: string };
}

/** The trigger's parameters as plain values, of any type, because an expression may yield anything. */
export interface TriggerSettings {
	/** Whether the trigger asks for events, instead of having them delivered. */
	isPolling: boolean;
	/** The `name` that every event has: that of the subscription. */
	name: string;
	events: unknown;
	items: unknown;
	includeUserForm: unknown;
	options: IDataObject;
}

/**
 * Reads all parameters at once. n8n evaluates expressions only while it calls a hook, `trigger()` or `webhook()`.
 * Later, from a timer, an expression fails. For events without a form, n8n does not show Include User Form and gives no
 * value. Throws n8n's error when an expression fails.
 */
export function readSettings(context: ParameterContext): TriggerSettings {
	const given = context.getNodeParameter('options', {});
	const options = isDataObject(given) ? given : {};
	const { subscriptionName } = options;
	const chosenName = typeof subscriptionName === 'string' ? subscriptionName.trim() : '';
	const isPolling = context.getNodeParameter('receiveBy', 'webhook') === 'polling';
	return {
		isPolling,
		name: chosenName || defaultName(context.getWorkflow()),
		events: isPolling ? context.getNodeParameter('events', [FORM_SUBMITTED]) : context.getNodeParameter('events'),
		items: context.getNodeParameter('items', []),
		includeUserForm: context.getNodeParameter('includeUserForm', false),
		options,
	};
}

/** A lost connection is none of Argyle's own events, so All Events leaves it out. */
export const isChosen = (event: string, events: unknown) =>
	event === CONNECTION_LOST.name ? choosesConnectionLost(events) : isSubscribed(event, events);

const isCatchUpOn = ({ isPolling, options }: TriggerSettings) => isPolling || isOn(options, 'catchUp', true);

/** The events, by their names, that also start the workflow when they were not delivered. */
export function caughtUpEvents(settings: TriggerSettings): string[] {
	if (!isCatchUpOn(settings)) return [];
	return EVENT_SOURCES.map(({ event }) => event).filter((event) => isChosen(event, settings.events));
}

/**
 * The events that a trigger without a subscription looks for. Throws ArgyleError when there is none, or one that no
 * list of Argyle shows.
 */
export function checkedEvents(value: unknown): string[] {
	const names = eventNames(value);
	const unknown = names.find((name) => name !== ALL_EVENTS && sourceOf(name) === undefined);
	if (unknown === undefined && names.length > 0)
		return EVENT_SOURCES.map(({ event }) => event).filter((event) => isChosen(event, names));
	const choices = EVENT_SOURCES.map(({ event }) => event).join(', ');
	throw new ArgyleError(
		unknown === undefined ? 'No event is chosen' : `Checking for Events can't find the event ${unknown}`,
		`In Events, choose what Checking for Events can find: ${choices}. For other events, set Receive By to Webhook.`,
	);
}

/** Whether an event starts the workflow once, however often it comes. A form and a lost connection always do. */
export function startsOnce(event: string, settings: TriggerSettings): boolean {
	return (
		[FORM_SUBMITTED, CONNECTION_LOST.name].includes(event) || (sourceOf(event) !== undefined && isCatchUpOn(settings))
	);
}

/** A delivery can't be refused with an explanation, so a setting that is not clearly off counts as on. */
export const includesUserForm = (value: unknown): boolean => asBoolean(value) !== false;

export const includesUser = (options: unknown): boolean => isDataObject(options) && isOn(options, 'includeUser');

export const wantsOnlyRefreshed = (options: unknown): boolean =>
	!isDataObject(options) || isOn(options, 'onlyRefreshedAccounts', true);

/** Whether an event that a list shows is left out, because it is a loss of an account whose refresh is over. */
export const isLeftOut = ({ key, record }: Pick<ListedRecord, 'key' | 'record'>, options: unknown): boolean =>
	eventOfKey(key) === CONNECTION_LOST.name && isRefreshOver(record) && wantsOnlyRefreshed(options);

/** The options that are on or off, but for Include Resource, which `subscriptionRequest` reads. */
const SWITCHES: Array<[name: string, displayName: string]> = [
	['catchUp', 'Catch Up'],
	['includeUser', 'Include User'],
	['onlyFromArgyle', 'Only From Argyle'],
	['onlyRefreshedAccounts', 'Only Refreshed Accounts'],
	['skipDuplicates', 'Skip Duplicates'],
];

/** Throws ArgyleError when a switch is neither on nor off. */
export function assertSwitches({ includeUserForm, options }: TriggerSettings): void {
	readBoolean(includeUserForm, 'Include User Form');
	for (const [name, displayName] of SWITCHES) if (name in options) readBoolean(options[name], displayName);
}
