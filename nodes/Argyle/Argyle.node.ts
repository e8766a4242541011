import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type NodeApiError,
	NodeConnectionTypes,
	type NodeOperationError,
} from 'n8n-workflow';

import { searchAccounts } from './listSearch/searchAccounts';
import { searchUserForms } from './listSearch/searchUserForms';
import { searchUsers } from './listSearch/searchUsers';
import { searchWebhooks } from './listSearch/searchWebhooks';
import { resources } from './resources';
import { type ItemProcessing, toProperties, toSubtitle } from './resources/operation';
import { testArgyleApi } from './shared/credentialTest';
import { toNodeError } from './shared/nodeError';
import { ArgyleError } from './transport/errors';
import { mapConcurrently } from './utils/concurrency';

export class Argyle implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Argyle',
		name: 'argyle',
		icon: { light: 'file:../../icons/argyle.svg', dark: 'file:../../icons/argyle.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: toSubtitle(resources),
		// For the list of AI tools. Elsewhere n8n lists this node and the trigger as one, with the trigger's description.
		description: 'Read users, their forms and payroll records, generate receipts and manage webhook subscriptions',
		defaults: { name: 'Argyle' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'argyleApi', required: true, testedBy: 'testArgyleApi' }],
		builderHint: {
			searchHint:
				'Reads payroll and income data of Argyle, and makes receipts as PDF. The users and IDs of an Argyle Trigger are in its data. For all that an event speaks of use Event: Get Records. Users can be found by ID or External ID only. Keep includeSensitive and includeSecret off unless the person asks for them.',
			relatedNodes: [
				{ nodeType: 'n8n-nodes-argyle.argyleTrigger', relationHint: 'Starts a workflow on events of Argyle' },
			],
		},
		properties: toProperties(resources),
	};

	methods = {
		credentialTest: { testArgyleApi },
		listSearch: { searchAccounts, searchUserForms, searchUsers, searchWebhooks },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const count = this.getInputData().length;
		if (count === 0) return [[]];
		const { concurrency, execute } = itemProcessing(this);
		const output = await mapConcurrently(
			{ count, concurrency, signal: this.getExecutionCancelSignal() },
			async (itemIndex, { signal, onWaiting }) => {
				try {
					const items = await execute(this, itemIndex, { signal, onSend: onWaiting });
					return items.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
				} catch (caught) {
					const error = toNodeError(this.getNode(), caught, itemIndex);
					if (!this.continueOnFail()) throw error;
					return [{ json: failedItem(error), pairedItem: { item: itemIndex } }];
				}
			},
		);
		return [output.flat()];
	}
}

/**
 * By these fields, and no others beside them, every n8n 2 knows an item for the error output. If `error` were set on
 * the item too, n8n would replace all fields, those of the input included, by the message.
 */
function failedItem({ message: error, description: message }: NodeApiError | NodeOperationError): IDataObject {
	return message && !error.includes(message) ? { error, message } : { error };
}

/** Of the chosen operation, which is the same for all items. */
function itemProcessing(context: IExecuteFunctions): ItemProcessing {
	const resource = context.getNodeParameter('resource', 0);
	const name = context.getNodeParameter('operation', 0);
	const operations = resources.find(({ value }) => value === resource)?.operations;
	const operation = operations?.find(({ value }) => value === name);
	if (operation === undefined) {
		const unknown = new ArgyleError(
			`The Argyle node can't do "${name}" with "${resource}"`,
			'The workflow may come from a newer version of this node. Update n8n-nodes-argyle, or choose the operation again.',
		);
		throw toNodeError(context.getNode(), unknown);
	}
	if (!('prepare' in operation)) return operation;
	try {
		return operation.prepare(context);
	} catch (caught) {
		throw toNodeError(context.getNode(), caught);
	}
}
