import {
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { ArgyleError, asArgyleError } from './transport/errors';
import { testArgyleApi } from './shared/credentialTest';
import { eventsField, settingFields } from './shared/fields';
import { toNodeError } from './shared/nodeError';
import { handleWebhook } from './trigger/webhook';
import { checkSubscription, registerSubscription, removeSubscription } from './trigger/lifecycle';

/**
 * Runs one phase of the subscription's life. What goes wrong in it is told in the message, because n8n shows nothing
 * else of a trigger's error.
 */
async function inWords(
	context: IHookFunctions,
	phase: (context: IHookFunctions) => Promise<boolean>,
	whatNext = '',
): Promise<boolean> {
	return await phase(context).catch((error: unknown) => {
		const { message, description, details: facts } = asArgyleError(error);
		throw toNodeError(context.getNode(), new ArgyleError(`${message}. ${description}${whatNext}`, description, facts));
	});
}

const THEN_PUBLISH = ' Then publish the workflow again.';

export class ArgyleTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Argyle Trigger',
		name: 'argyleTrigger',
		icon: { light: 'file:../../icons/argyle.svg', dark: 'file:../../icons/argyle.dark.svg' },
		group: ['trigger'],
		// For each call to a trigger of version 1, n8n would set up a sandbox to evaluate an expression of its own.
		version: 2,
		subtitle: '={{ $parameter["events"].join(", ") }}',
		description: 'Starts the workflow when Argyle reports an event, such as a submitted user form',
		defaults: { name: 'Argyle Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'argyleApi', required: true, testedBy: 'testArgyleApi' }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				// n8n answers when it has stored the execution; empty data keeps its answer a plain message.
				responseMode: 'onReceived',
				responseData: '',
				path: 'webhook',
			},
		],
		properties: [
			{
				displayName:
					"When you publish the workflow, n8n registers itself with Argyle; when you unpublish it, it removes itself. Argyle has to reach this n8n at a public https address: if it isn't reachable from the internet, set n8n's WEBHOOK_URL to the address of your reverse proxy or tunnel.",
				name: 'notice',
				type: 'notice',
				default: '',
			},
			eventsField,
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add option',
				default: {},
				options: [
					...settingFields,
					{
						displayName: 'Include User Form',
						name: 'includeUserForm',
						type: 'boolean',
						default: false,
						description:
							"Whether User Form Submitted is to bring what the person wrote, as userForm. When it can't be had in time, userForm is null and userFormError says why.",
					},
					{
						displayName: 'Only From Argyle',
						name: 'onlyFromArgyle',
						type: 'boolean',
						default: false,
						description:
							"Whether to refuse calls from other addresses than the four that Argyle publishes. Every call is proven genuine without this too. Behind a proxy, n8n's N8N_PROXY_HOPS has to be set.",
					},
					{
						displayName: 'Skip Duplicates',
						name: 'skipDuplicates',
						type: 'boolean',
						default: false,
						description:
							'Whether to run only once when Argyle delivers an event again because it did not hear the answer. Equal events within two minutes count as one; a form counts once a day.',
					},
					{
						displayName: 'Subscription Name',
						name: 'subscriptionName',
						type: 'string',
						default: '',
						placeholder: 'e.g. Forms to CRM',
						description:
							'How the subscription is named at Argyle. It is "n8n – " and the workflow\'s name when this is empty.',
					},
				],
			},
		],
	};

	methods = { credentialTest: { testArgyleApi } };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await inWords(this, checkSubscription, THEN_PUBLISH);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await inWords(this, registerSubscription, THEN_PUBLISH);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await inWords(this, removeSubscription);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await handleWebhook(this);
	}
}
