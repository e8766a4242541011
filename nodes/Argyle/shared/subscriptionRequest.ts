import { refused } from '../transport/errors';
import { isNothing, shortened } from '../utils/coerce';
import { ALL_EVENTS, EVENT_TYPES, eventNames, type EventSetting, eventsThatTake, MAX_ITEMS } from '../api/events';
import type { SubscriptionConfig, SubscriptionRequest } from '../api/subscriptions';
import { readItemIds } from './employerIds';
import { readBoolean, readPositiveInteger } from './parameters';

/** What a person enters. Each value can be of any type, because an expression may yield anything. */
interface SubscriptionInput {
	name: unknown;
	url: unknown;
	events: unknown;
	includeResource?: unknown;
	daysSynced?: unknown;
	items?: unknown;
}

/** The name of a subscription to which the person has given none. Argyle sends it with every event. */
export function defaultName({ name }: { name?: string }): string {
	return `n8n – ${name}`;
}

function readName(value: unknown): string {
	if (typeof value === 'string' && value.trim() !== '') return value.trim();
	throw refused(
		'The Name of the webhook subscription is missing',
		'Enter a name; Argyle sends it back with every event.',
	);
}

function readUrl(value: unknown): string {
	const text = typeof value === 'string' ? value.trim() : '';
	if (text === '')
		throw refused(
			'The URL of the webhook subscription is missing',
			'Enter the address to which Argyle sends the events.',
		);
	const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
	if (isWeb) return text;
	throw refused(
		'The URL of the webhook subscription is not a web address',
		'Enter a complete address that begins with https:// or http://.',
	);
}

function readEvents(value: unknown): string[] {
	const events = eventNames(value);
	if (events.length === 0) throw refused('No event is chosen', 'Choose at least one entry in Events.');
	if (events.includes(ALL_EVENTS) && events.length > 1) {
		throw refused(
			"All Events can't be combined with single events",
			'In Events, keep either All Events or the single ones.',
		);
	}
	for (const event of events) assertKnown(event);
	return events;
}

function assertKnown(event: string): void {
	if (event === ALL_EVENTS || EVENT_TYPES.some(({ name }) => name === event)) return;
	throw refused(
		`Argyle has no event "${shortened(event)}"`,
		'Names look like user_forms.submitted. If Argyle has it by now, update n8n-nodes-argyle.',
	);
}

function readItems(value: unknown): string[] {
	const items = readItemIds(value, 'Items');
	if (items.length === 0)
		throw refused(
			'Items is empty',
			'The chosen events need Items: choose at least one employer in Items, or enter its ID.',
		);
	if (items.length > MAX_ITEMS) {
		throw refused(
			`${items.length} Items are given, more than Argyle takes`,
			`A subscription takes ${MAX_ITEMS} Items: use several subscriptions.`,
		);
	}
	return items;
}

const DAYS_ADVICE = 'how many days are to be fetched before the event is sent, such as 90';

const SETTINGS: Array<[setting: EventSetting, key: keyof SubscriptionConfig, displayName: string]> = [
	['includeResource', 'include_resource', 'Include Resource'],
	['daysSynced', 'days_synced', 'Days Synced'],
	['items', 'items', 'Items'],
];

function readConfig(input: SubscriptionInput, events: string[]): SubscriptionConfig {
	const takes = (setting: EventSetting) => eventsThatTake(setting).some(({ name }) => events.includes(name));
	const config: SubscriptionConfig = {};
	if (input.includeResource !== undefined && readBoolean(input.includeResource, 'Include Resource'))
		config.include_resource = true;
	if (!isNothing(input.daysSynced))
		config.days_synced = readPositiveInteger(input.daysSynced, 'Days Synced', DAYS_ADVICE);
	if (takes('items') || !isNothing(input.items)) config.items = readItems(input.items);
	for (const [setting, key, displayName] of SETTINGS) {
		if (config[key] !== undefined && !takes(setting)) {
			throw refused(
				`${displayName} is set, but none of the chosen events takes it`,
				`Remove it, or choose one of ${eventsThatTake(setting)
					.map(({ name }) => name)
					.join(', ')}.`,
			);
		}
	}
	return config;
}

/** Throws ArgyleError when the input is not enough for a subscription, or has a setting that no chosen event takes. */
export function subscriptionRequest(input: SubscriptionInput): SubscriptionRequest {
	const events = readEvents(input.events);
	const request = { name: readName(input.name), url: readUrl(input.url), events };
	const config = readConfig(input, events);
	return Object.keys(config).length === 0 ? request : { ...request, config };
}
