import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { searchUsers } from './listSearch/searchUsers';
import { searchWebhooks } from './listSearch/searchWebhooks';
import { resources } from './resources';
import { type ItemProcessing, toProperties } from './resources/operation';
import { testArgyleApi } from './shared/credentialTest';
import { toNodeError } from './shared/nodeError';
import { mapConcurrently } from './utils/concurrency';

export class Argyle implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Argyle',
		name: 'argyle',
		icon: { light: 'file:../../icons/argyle.svg', dark: 'file:../../icons/argyle.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Generate billing receipts and manage webhook subscriptions at Argyle',
		defaults: { name: 'Argyle' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'argyleApi', required: true, testedBy: 'testArgyleApi' }],
		properties: toProperties(resources),
	};

	methods = {
		credentialTest: { testArgyleApi },
		listSearch: { searchUsers, searchWebhooks },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const count = this.getInputData().length;
		if (count === 0) return [[]];
		const { concurrency, execute } = itemProcessing(this);
		const output = await mapConcurrently(
			{ count, concurrency, signal: this.getExecutionCancelSignal() },
			async (itemIndex, signal) => {
				try {
					const items = await execute(this, itemIndex, signal);
					return items.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
				} catch (caught) {
					const error = toNodeError(this.getNode(), caught, itemIndex);
					if (!this.continueOnFail()) throw error;
					const json = { error: error.message, details: error.description ?? '' };
					return [{ json, pairedItem: { item: itemIndex } }];
				}
			},
		);
		return [output.flat()];
	}
}

/** Of the chosen operation, which is the same for all items. */
function itemProcessing(context: IExecuteFunctions): ItemProcessing {
	const resource = context.getNodeParameter('resource', 0);
	const name = context.getNodeParameter('operation', 0);
	const operations = resources.find(({ value }) => value === resource)?.operations;
	const operation = operations?.find(({ value }) => value === name);
	if (operation === undefined) {
		throw new NodeOperationError(context.getNode(), `The Argyle node can't do "${name}" with "${resource}"`, {
			description:
				'The workflow may come from a newer version of this node. Update n8n-nodes-argyle, or choose the operation again.',
		});
	}
	if (!('prepare' in operation)) return operation;
	try {
		return operation.prepare(context);
	} catch (caught) {
		throw toNodeError(context.getNode(), caught);
	}
}
