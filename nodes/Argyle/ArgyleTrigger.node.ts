import {
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type ITriggerFunctions,
	type ITriggerResponse,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { testArgyleApi } from './shared/credentialTest';
import { eventsField, optionsField, settingFields } from './shared/fields';
import { toNodeError } from './shared/nodeError';
import { ArgyleError, asArgyleError } from './transport/errors';
import { checkSubscription, registerSubscription, removeSubscription } from './trigger/lifecycle';
import { startOnce } from './trigger/startOnce';
import { startWatch } from './trigger/watch';
import { handleWebhook } from './trigger/webhook';

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
			optionsField([
				{
					displayName: 'Catch Up on Missed Forms',
					name: 'catchUp',
					type: 'boolean',
					default: true,
					description:
						'Whether a form that was submitted while n8n, or the way to it, was down starts the workflow later. Forms are looked for when n8n starts and every five minutes, up to a week back.',
				},
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
						'Whether to run only once when Argyle delivers an event again because it did not hear the answer. Equal events within two minutes count as one. A submitted form always runs once.',
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
			]),
		],
	};

	methods = { credentialTest: { testArgyleApi } };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await runHook(this, checkSubscription, THEN_PUBLISH);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await runHook(this, registerSubscription, THEN_PUBLISH);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await runHook(this, removeSubscription);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await handleWebhook(this);
	}

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return startWatch(this);
	}

	/** n8n runs this for the trigger in every execution, with the item of `webhook()` or `trigger()`. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		try {
			return [await startOnce(this)];
		} catch (error) {
			throw toNodeError(this.getNode(), error);
		}
	}
}

const THEN_PUBLISH = ' Then publish the workflow again.';

/** Puts the whole story into the message, because n8n keeps nothing else of a trigger's error. */
async function runHook(
	context: IHookFunctions,
	hook: (context: IHookFunctions) => Promise<boolean>,
	nextStep = '',
): Promise<boolean> {
	return await hook(context).catch((error: unknown) => {
		const { message, description, details } = asArgyleError(error);
		const wholeStory = `${message}. ${description}${nextStep}`;
		throw toNodeError(context.getNode(), new ArgyleError(wholeStory, description, details));
	});
}
