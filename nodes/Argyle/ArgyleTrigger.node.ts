import {
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { testArgyleApi } from './credentialTest';
import { eventsField, settingFields } from './descriptions';
import { toNodeError } from './nodeError';
import { receiveDelivery } from './trigger/delivery';
import { checkSubscription, registerSubscription, removeSubscription } from './trigger/subscription';

/** Runs one phase of the subscription's life; what goes wrong in it is told in words that n8n shows. */
async function inWords(
	context: IHookFunctions,
	phase: (context: IHookFunctions) => Promise<boolean>,
): Promise<boolean> {
	return await phase(context).catch((error: unknown) => {
		throw toNodeError(context.getNode(), error);
	});
}

export class ArgyleTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Argyle Trigger',
		name: 'argyleTrigger',
		icon: { light: 'file:../../icons/argyle.svg', dark: 'file:../../icons/argyle.dark.svg' },
		group: ['trigger'],
		version: 1,
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
				return await inWords(this, checkSubscription);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await inWords(this, registerSubscription);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await inWords(this, removeSubscription);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveDelivery(this);
	}
}
