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

import { searchEmployers } from './listSearch/pickers';
import { testArgyleApi } from './shared/credentialTest';
import { failedItem, toNodeError } from './shared/nodeError';
import { ArgyleError, asArgyleError } from './transport/errors';
import {
	activationMessage,
	builderHint,
	deliveries,
	eventTriggerDescription,
	hints,
	subtitle,
	triggerPanel,
	triggerProperties,
} from './trigger/description';
import { checkSubscription, registerSubscription, removeSubscription } from './trigger/lifecycle';
import { runExecution } from './trigger/execute';
import { startWatch } from './trigger/watch/watch';
import { handleWebhook } from './trigger/webhook';

export class ArgyleTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Argyle Trigger',
		name: 'argyleTrigger',
		icon: { light: 'file:../../icons/argyle.svg', dark: 'file:../../icons/argyle.dark.svg' },
		group: ['trigger'],
		// For each call to a trigger of version 1, n8n evaluates an expression about binary data in a sandbox.
		version: 2,
		subtitle,
		// n8n shows this text for both nodes, and also where a next step is chosen.
		description:
			'Start a workflow on events such as a submitted form. Invite people, order verifications, read payroll records, generate reports and receipts.',
		defaults: { name: 'Argyle Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'argyleApi', required: true, testedBy: 'testArgyleApi' }],
		webhooks: [deliveries],
		eventTriggerDescription,
		activationMessage,
		hints,
		builderHint,
		triggerPanel,
		properties: triggerProperties,
	};

	methods = { credentialTest: { testArgyleApi }, listSearch: { searchEmployers } };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await withFullMessage(this, checkSubscription(this), thenTryAgain(this));
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await withFullMessage(this, registerSubscription(this), thenTryAgain(this));
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await withFullMessage(this, removeSubscription(this));
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await handleWebhook(this);
	}

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return await withFullMessage(this, startWatch(this), thenTryAgain(this));
	}

	/** n8n runs this for the trigger in every execution, with the item of `webhook()` or `trigger()`. */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const onFailure = (error: unknown, item: number): INodeExecutionData => {
			const nodeError = toNodeError(this.getNode(), error);
			if (!this.continueOnFail()) throw nodeError;
			// Otherwise n8n would go on with the items as they came, as if nothing had failed.
			return { json: failedItem(nodeError), pairedItem: { item } };
		};
		return [await runExecution(this, onFailure)];
	}
}

function thenTryAgain(context: IHookFunctions | ITriggerFunctions): string {
	return context.getMode() === 'manual'
		? ' When that is done, test again.'
		: ' When that is done, publish the workflow again.';
}

/** Puts everything into the message, because n8n keeps nothing else of a trigger's error. */
async function withFullMessage<T>(
	context: IHookFunctions | ITriggerFunctions,
	action: Promise<T>,
	nextStep = '',
): Promise<T> {
	return await action.catch((error: unknown) => {
		const { fullMessage, description, details } = asArgyleError(error);
		const message = `${fullMessage}${nextStep}`;
		throw toNodeError(context.getNode(), new ArgyleError(message, description, details));
	});
}
