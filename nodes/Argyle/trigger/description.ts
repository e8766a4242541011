import type { IBuilderHint, INodeProperties, INodeTypeDescription, IWebhookDescription, NodeHint } from 'n8n-workflow';

import { FORM_SUBMITTED } from '../api/delivery';
import { ALL_EVENTS, CONNECTION_LOST } from '../api/events';
import { EVENT_SOURCES, type EventSource, isScanned } from '../api/eventSources';
import { eventOption, eventsField, itemsField, optionsField, settingFields, textField } from '../shared/fields';

/** With Checking for Events, there is no method: then n8n registers no webhook, and a test doesn't wait for a call. */
const METHOD = '={{ $parameter["receiveBy"] === "polling" ? "" : "POST" }}';

/**
 * Since n8n 2.41, n8n calls a function under this key in place of the expression, so no delivery needs the expression's
 * sandbox. n8n's own nodes have such a function.
 */
const RESOLVERS = Symbol.for('n8n.webhookDescriptionResolvers');

const resolveMethod = ({ receiveBy }: { receiveBy?: unknown }) => (receiveBy === 'polling' ? '' : 'POST');

export const deliveries: IWebhookDescription = {
	name: 'default',
	httpMethod: METHOD,
	// n8n answers when it has stored the execution. With this empty text, it answers with a plain message.
	responseMode: 'onReceived',
	responseData: '',
	path: 'webhook',
	ndvHideUrl: '={{ $parameter["receiveBy"] === "polling" }}',
	[RESOLVERS]: { httpMethod: { template: METHOD, resolve: resolveMethod } },
};

export const subtitle =
	'={{ ($parameter["receiveBy"] === "polling" ? "Checks for " : "") + [$parameter["events"]].flat().map((event) => event === "*" ? "All Events" : event.replaceAll("_", " ").replace(".", ": ").replace(/\\b[a-z]/g, (letter) => letter.toUpperCase())).join(", ") }}';

/** Shown on the canvas, while a test waits for its event. */
export const eventTriggerDescription =
	"Make the event happen in Argyle. For a form: search in Argyle Link for an employer that isn't listed, and fill in the form";

/** Shown in n8n's dialog after the first publish. */
export const activationMessage = 'Events at Argyle now start this workflow by themselves. Executions shows each run.';

const EVENTS_CLASH =
	"All Events can't be combined with single events. In Events, keep either All Events or the single ones.";

const ITEMS_MISSING =
	'Items is empty. The chosen events need Items: choose at least one employer in Items, or enter its ID.';

const EVENTS = '[$parameter["events"]].flat()';
const HAS_CLASH = `${EVENTS}.includes("*") && ${EVENTS}.length > 1`;
const LACKS_ITEMS = `${EVENTS}.some((event) => event.startsWith("items.")) && ![$parameter["items"]].flat().some((item) => item?.value ?? item)`;

const shownWithWebhook = (message: string, condition: string): NodeHint => ({
	message,
	type: 'warning',
	location: 'ndv',
	whenToDisplay: 'always',
	displayCondition: `={{ $parameter["receiveBy"] !== "polling" && ${condition} }}`,
});

/** Warns of what makes a publish fail, because n8n itself says so only after five tries. */
export const hints: NodeHint[] = [
	shownWithWebhook(EVENTS_CLASH, HAS_CLASH),
	shownWithWebhook(ITEMS_MISSING, `!(${HAS_CLASH}) && ${LACKS_ITEMS}`),
];

export const builderHint: IBuilderHint = {
	searchHint:
		'Starts a workflow on events of Argyle: submitted user forms, connected accounts, paystubs, gigs, documents, verifications. It registers and removes its webhook subscription and verifies each delivery by itself: never add a Webhook node, a secret or a signature check. Set receiveBy to "polling" where n8n has no public https address.',
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-argyle.argyle',
			relationHint:
				'Event: Get Records reads the records of an event; Receipt: Generate makes a PDF of the user in data.user',
		},
	],
};

const TRY_IT =
	"<b>While you build</b>, click Execute step. With Webhook, n8n listens for two minutes: let the event happen in Argyle meanwhile, for example search in Argyle Link for an employer that isn't listed, and fill in the form. With Checking for Events, the newest of the chosen events comes at once.<br /><br />";

export const triggerPanel: INodeTypeDescription['triggerPanel'] = {
	header: 'Get a first event from Argyle',
	executionsHelp: {
		inactive: `${TRY_IT}<b>Once you are happy</b>, publish the workflow. Then it runs by itself for every event; these runs show up in the <a data-key="executions">executions list</a>.`,
		active: `${TRY_IT}<b>The workflow is published</b> and runs by itself for every event; these runs show up in the <a data-key="executions">executions list</a>.`,
	},
	activationHint: 'Once the workflow is published, it also runs by itself for every event.',
};

const includeUserFormFieldFor = (...events: string[]): INodeProperties => ({
	displayName: 'Include User Form',
	name: 'includeUserForm',
	type: 'boolean',
	default: true,
	description:
		"Whether to bring what the person wrote, as userForm. When it can't be had, userForm is null and userFormError says why.",
	displayOptions: { show: { events } },
});

const includeUserOption: INodeProperties = {
	displayName: 'Include User',
	name: 'includeUser',
	type: 'boolean',
	default: true,
	description:
		"Whether to add the event's user, as user: ID, External ID, names, e-mail address and phone number. When it can't be had, user is null and userError says why.",
};

const onlyRefreshedOption: INodeProperties = {
	displayName: 'Only Refreshed Accounts',
	name: 'onlyRefreshedAccounts',
	type: 'boolean',
	default: true,
	displayOptions: { show: { '/events': [CONNECTION_LOST.name] } },
	description:
		'Whether to leave out lost connections of accounts that Argyle no longer refreshes. After a one-time verification, such a loss is normal: the person is done. An account that does not tell is not left out.',
};

const ALL_BUT_THREE =
	"Every event except Connection Lost, Item Removed and Item Updated. Can't be combined with single events.";

/** Connection Lost stands after Account Failed, because people often take one for the other. */
const withConnectionLost = (eventsField.options ?? []).flatMap((option): NonNullable<INodeProperties['options']> => {
	if (!('value' in option)) return [option];
	if (option.value === ALL_EVENTS) return [{ ...option, description: ALL_BUT_THREE }];
	return option.value === 'accounts.failed' ? [option, eventOption(CONNECTION_LOST)] : [option];
});

function costOf(source: EventSource): string {
	const pages = isScanned(source) ? 'for each 200 accounts' : 'for each 200 back to the oldest unfinished one';
	return source.change === undefined ? '1 request a minute' : `1 request a minute ${pages}`;
}

/** The meaning of an event that a list shows, where it differs from that of the event that Argyle sends. */
const LISTED: Record<string, string | undefined> = {
	'accounts.failed': 'A login failed',
	[CONNECTION_LOST.name]: 'A connection is lost, such as by a new password',
	'verifications.updated': 'A verification was completed or cancelled',
	'reports.generated': 'A report was made, or could not be made',
};

/** The entry of Events for one event. Its description ends with what it costs to check for this event. */
const checkedOptionOf = (source: EventSource) =>
	withConnectionLost
		.filter((option) => 'value' in option && option.value === source.event)
		.map((option) => ({
			...option,
			description: `${LISTED[source.event] ?? ('description' in option ? option.description : '')}. ${costOf(source)}`,
		}));

/**
 * The parameter Receive By. Without the slash, n8n's editor would drop the chosen events and options when Receive By is
 * changed.
 */
const RECEIVE_BY = '/receiveBy';

const shownBy =
	(way: 'webhook' | 'polling') =>
	(field: INodeProperties): INodeProperties => ({
		...field,
		displayOptions: { show: { ...field.displayOptions?.show, [RECEIVE_BY]: [way] } },
	});
const onlyByWebhook = shownBy('webhook');
const onlyByPolling = shownBy('polling');

export const triggerProperties: INodeProperties[] = [
	{
		displayName: 'Receive By',
		name: 'receiveBy',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Webhook',
				value: 'webhook',
				description: 'Argyle calls this n8n at once, whatever the event. Needs a public https address.',
			},
			{
				name: 'Checking for Events',
				value: 'polling',
				description: `Needs no public address: works on a laptop too. Asks every minute, for the ${EVENT_SOURCES.length} kinds that Events lists.`,
			},
		],
		default: 'webhook',
		description: 'How this n8n learns of what happens at Argyle',
	},
	onlyByWebhook({
		// n8n Cloud shows this notice, too, because n8n 2.14 can't read `showOnDeployment`.
		displayName:
			"Argyle has to reach this n8n at a public https address. If it isn't reachable from the internet, choose Checking for Events, or set n8n's N8N_WEBHOOK_URL (before n8n 2.30: WEBHOOK_URL) to the address of your reverse proxy or tunnel.",
		name: 'notice',
		type: 'notice',
		default: '',
	}),
	onlyByWebhook({ ...eventsField, options: withConnectionLost }),
	onlyByPolling({
		...eventsField,
		options: EVENT_SOURCES.flatMap(checkedOptionOf),
		description:
			"The events that n8n asks Argyle for. All workflows with the same key share the requests. Looking through all accounts never takes more than 5 % of Argyle's rate: with very many accounts, n8n does it less often.",
	}),
	// The default is `undefined`, because this field stands outside of a collection. n8n's editor would turn any other
	// default into one object, to which people can't add anything. The cost: an entry that was added and left empty is
	// null, and n8n's check of required fields fails on it.
	onlyByWebhook({
		...itemsField,
		default: undefined,
		description: `${itemsField.description} Choose From list for each, and then the employer.`,
	}),
	onlyByWebhook(includeUserFormFieldFor(FORM_SUBMITTED, ALL_EVENTS)),
	onlyByPolling(includeUserFormFieldFor(FORM_SUBMITTED)),
	onlyByWebhook(
		optionsField([
			{
				displayName: 'Catch Up',
				name: 'catchUp',
				type: 'boolean',
				default: true,
				displayOptions: { show: { '/events': [ALL_EVENTS, ...EVENT_SOURCES.map(({ event }) => event)] } },
				description:
					'Whether the workflow also starts, later, for events that n8n missed while it could not be reached. Each event starts the workflow once. When n8n starts, and every five minutes, it looks for forms, for added accounts and uploads, and for verifications and reports that are finished, cancelled or failed. It looks back a week at most, and each list takes one request or more. n8n looks through all accounts, with one request for each 200, for connections that were made, refused or lost, for direct deposit switches, and for fully synced users. It does this when it starts, at a publish, and when Argyle says that it has sent something that n8n did not receive.',
			},
			...settingFields,
			includeUserOption,
			{
				displayName: 'Only From Argyle',
				name: 'onlyFromArgyle',
				type: 'boolean',
				default: true,
				description:
					"Whether to refuse calls from other addresses than the four that Argyle publishes. The trigger checks the signature of every call in any case. Behind a proxy, n8n's N8N_PROXY_HOPS has to be set.",
			},
			onlyRefreshedOption,
			{
				displayName: 'Skip Duplicates',
				name: 'skipDuplicates',
				type: 'boolean',
				default: true,
				description:
					'Whether to run only once when Argyle delivers an event again because it did not hear the answer. Equal events within two minutes count as one. A submitted form starts the workflow only once in any case.',
			},
			textField(
				'Subscription Name',
				'subscriptionName',
				'e.g. Forms to CRM',
				'How the subscription is named at Argyle. It is "n8n – " and the workflow\'s name when this is empty.',
			),
		]),
	),
	onlyByPolling(optionsField([includeUserOption, onlyRefreshedOption])),
];
