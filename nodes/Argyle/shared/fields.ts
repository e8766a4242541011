import type { INodeProperties } from 'n8n-workflow';

import { ALL_EVENTS, EVENT_TYPES, type EventSetting, eventsThatTake } from '../api/events';
import { withArticle } from '../api/recordTypes';
import { EXAMPLE_ITEM_ID, EXAMPLE_UUID, ID_PATTERN, ITEM_ID_PATTERN } from '../utils/ids';

const MOST_USED_EVENT = 'user_forms.submitted';

export const eventOption = ({ name, title, meaning }: (typeof EVENT_TYPES)[number]) => ({
	name: title,
	value: name,
	description: meaning,
});

export const eventsField: INodeProperties = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	required: true,
	// In its list of triggers, n8n shows an entry for each event, in this order.
	options: [
		...EVENT_TYPES.filter(({ name }) => name === MOST_USED_EVENT).map(eventOption),
		{
			name: 'All Events',
			value: ALL_EVENTS,
			description: "Every event except Item Removed and Item Updated. Can't be combined with single events.",
		},
		...EVENT_TYPES.filter(({ name }) => name !== MOST_USED_EVENT).map(eventOption),
	],
	default: [MOST_USED_EVENT],
	description: 'What Argyle is to report',
};

const onlyFor = (setting: EventSetting) =>
	`Only for ${eventsThatTake(setting)
		.map(({ title }) => title)
		.join(', ')}`;

const shownFor = (setting: EventSetting) => ({
	show: { '/events': eventsThatTake(setting).map(({ name }) => name) },
});

/** The optional settings that only some events take. Each is shown if such an event is chosen. */
export const settingFields: INodeProperties[] = [
	{
		displayName: 'Days Synced',
		name: 'daysSynced',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 90,
		description: `The event is sent when this many days are fetched. ${onlyFor('daysSynced')}.`,
		displayOptions: shownFor('daysSynced'),
	},
	{
		displayName: 'Include Resource',
		name: 'includeResource',
		type: 'boolean',
		default: true,
		description: `Whether the event is to bring the whole record along. ${onlyFor('includeResource')}.`,
		displayOptions: shownFor('includeResource'),
	},
];

/** The words are those of n8n's own nodes. */
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

const collection =
	(displayName: string, name: string, placeholder: string) =>
	(options: INodeProperties[]): INodeProperties => ({
		displayName,
		name,
		type: 'collection',
		placeholder,
		default: {},
		options,
	});

export const optionsField = collection('Options', 'options', 'Add option');
export const filtersField = collection('Filters', 'filters', 'Add filter');
export const additionalFields = collection('Additional Fields', 'additionalFields', 'Add field');
export const updateFields = collection('Update Fields', 'updateFields', 'Add field');

export const textField = (
	displayName: string,
	name: string,
	placeholder: string,
	description: string,
): INodeProperties => ({ displayName, name, type: 'string', default: '', placeholder, description });

/** What an ID looks like, for n8n's check in the editor. */
interface IdFormat {
	pattern: string;
	example: string;
}

/** Shorter than the pattern of a UUID, because n8n loads it with each of forty fields. The node looks closer. */
const UUID: IdFormat = { pattern: '[\\w-]{36}', example: EXAMPLE_UUID };
/** For records whose IDs are not always UUIDs. */
const ANY_ID: IdFormat = { pattern: ID_PATTERN, example: EXAMPLE_UUID };
const ITEM_ID: IdFormat = { pattern: ITEM_ID_PATTERN, example: EXAMPLE_ITEM_ID };

const SLOW_LIST = { message: 'Argyle answers slowly. If you have the ID, choose By ID', timeout: 5_000 };

export function resourceLocator(
	displayName: string,
	name: string,
	searchListMethod: string,
	{ pattern, example }: IdFormat = UUID,
): INodeProperties {
	const noun = withArticle(displayName.toLowerCase());
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		required: true,
		description: `The ${displayName.toLowerCase()} that the operation is for`,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${noun}…`,
				typeOptions: { searchListMethod, searchable: true, slowLoadNotice: SLOW_LIST },
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: `e.g. ${example}`,
				validation: [
					{
						type: 'regex',
						properties: {
							// A pasted ID may have blanks or quotes around it.
							regex: `\\s*["'\`]?${pattern}["'\`]?\\s*`,
							errorMessage: `Not an ID such as ${example}. To search, choose From list`,
						},
					},
				],
			},
		],
	};
}

const userLocator = resourceLocator('User', 'userId', 'searchUsers');
const byExternalId = { displayName: 'By External ID', name: 'externalId', placeholder: 'e.g. crm-1001' };

/** `readIdToFind` reads this field. */
export const userIdField: INodeProperties = {
	...userLocator,
	modes: [...(userLocator.modes ?? []), { ...byExternalId, type: 'string' }],
};

export const userFormIdField = resourceLocator('User Form', 'userFormId', 'searchUserForms');
export const accountIdField = resourceLocator('Account', 'accountId', 'searchAccounts');
export const inviteIdField = resourceLocator('Invite', 'inviteId', 'searchInvites', ANY_ID);
export const verificationIdField = resourceLocator('Verification', 'verificationId', 'searchVerifications', ANY_ID);
export const subscriptionIdField = resourceLocator('Webhook Subscription', 'webhookId', 'searchSubscriptions');
export const employerIdField = resourceLocator('Employer', 'employerId', 'searchEmployers', ITEM_ID);

/**
 * A field for any number of employers, to be put into a collection. It is a resource locator with multiple values,
 * because no other parameter of n8n lets people search a long list at the service, choose several entries, and type IDs
 * too. `readItemIds` reads the field.
 */
export const employersField = (
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
): INodeProperties => ({
	...employerIdField,
	...field,
	typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Employer' },
	required: false,
});

export const itemsField: INodeProperties = {
	...employersField({
		displayName: 'Items',
		name: 'items',
		description: `Up to 30 employers or platforms to watch, at least one. ${onlyFor('items')}, which need them.`,
	}),
	displayOptions: shownFor('items'),
};

/** For operations that erase data. `readConfirmation` refuses the item while the switch is off. */
export const confirmDeletionField: INodeProperties = {
	displayName: 'Confirm Erasing for Good',
	name: 'confirmDeletion',
	type: 'boolean',
	default: false,
	description:
		'Whether the data may be erased. Nobody can bring it back; while this is off, nothing is sent to Argyle.',
};
