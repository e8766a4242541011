import type { INodeProperties } from 'n8n-workflow';

import { ALL_EVENTS, EVENT_TYPES, eventsThatTake } from '../api/events';

const titleCase = (text: string) =>
	text.replace(/(^|[ _])(\w)/g, (_, gap: string, letter: string) => (gap ? ' ' : '') + letter.toUpperCase());

/** Takes an event's name, such as `user_forms.submitted`; gives it as a person reads it, "User Form Submitted". */
export function eventTitle(name: string): string {
	const [family, change] = name.split('.');
	const singular = family.endsWith('identities')
		? 'identity'
		: family.endsWith('switches')
			? family.slice(0, -2)
			: family.slice(0, -1);
	const plural = /synced$/.test(change) && family !== 'users';
	return `${titleCase(plural ? family : singular)} ${titleCase(change).replace('Ocr', 'OCR')}`;
}

/** The field in which events are chosen, with every event of the event table. */
export const eventsField: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	options: [
		{
			name: 'All Events (*)',
			value: ALL_EVENTS,
			description: "Every event except Item Removed and Item Updated. Can't be combined with single events.",
		},
		...EVENT_TYPES.map(({ name, meaning }) => ({ name: eventTitle(name), value: name, description: meaning })),
	],
	default: ['user_forms.submitted'],
	description: 'What Argyle is to report',
};

const only = (events: string[]) => `Only for ${events.map(eventTitle).join(', ')}`;

/** The settings of a subscription that only some events take, for a collection. */
export const settingFields: INodeProperties[] = [
	{
		displayName: 'Days Synced',
		name: 'daysSynced',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 90,
		description: `How many days are to be fetched before the event is sent. ${only(eventsThatTake('daysSynced'))}.`,
		displayOptions: { show: { '/events': eventsThatTake('daysSynced') } },
	},
	{
		displayName: 'Include Resource',
		name: 'includeResource',
		type: 'boolean',
		default: false,
		description: `Whether the event is to bring the whole record along. ${only(eventsThatTake('includeResource'))}.`,
		displayOptions: { show: { '/events': eventsThatTake('includeResource') } },
	},
	{
		displayName: 'Items',
		name: 'items',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Item' },
		default: [],
		placeholder: 'e.g. item_000041078',
		description: `The IDs of up to 30 Items to watch. ${only(eventsThatTake('items'))}, which need them.`,
		displayOptions: { show: { '/events': eventsThatTake('items') } },
	},
];

/** Return All and Limit, as n8n's own nodes have them. */
export const returnAllFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
];

/** Takes a resource's filters; gives the collection that holds them. */
export const filtersField = (options: INodeProperties[]): INodeProperties => ({
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options,
});

const UUID = '[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

/**
 * Takes a field's name and what it is about, such as "user", and the picker's method; gives the field in which one is chosen from the
 * list or by its id, a wrong one being told before anything runs.
 */
function locator(
	field: Pick<INodeProperties, 'displayName' | 'name'>,
	noun: string,
	searchListMethod: string,
): INodeProperties {
	return {
		...field,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select a ${noun}…`,
				typeOptions: { searchListMethod, searchable: true },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 0187c66e-e7e5-811c-b006-2232f00f426a',
				validation: [
					{
						type: 'regex',
						properties: {
							regex: UUID,
							errorMessage: 'Not an ID. One looks like 0187c66e-e7e5-811c-b006-2232f00f426a',
						},
					},
				],
			},
		],
	};
}

/** The field in which a user is chosen. */
export const userIdField = locator({ displayName: 'User', name: 'userId' }, 'user', 'searchUsers');

/** The field in which a webhook subscription is chosen. */
export const webhookIdField = locator(
	{ displayName: 'Webhook Subscription', name: 'webhookId' },
	'webhook subscription',
	'searchWebhooks',
);
