import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { testArgyleApi } from './shared/credentialTest';
import { mapConcurrently } from './utils/concurrency';
import { searchUsers } from './listSearch/searchUsers';
import { searchWebhooks } from './listSearch/searchWebhooks';
import { toNodeError } from './shared/nodeError';
import { resources } from './resources';
import { findOperation, type Operation, type Run, toProperties } from './resources/operation';

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
		const run = begin(this, chosenOperation(this));
		const order = { count, atOnce: run.atOnce, stop: this.getExecutionCancelSignal() };
		const output = await mapConcurrently(order, async (itemIndex, signal) => {
			try {
				return paired(await run.one(itemIndex, signal), itemIndex);
			} catch (caught) {
				const error = toNodeError(this.getNode(), caught, itemIndex);
				if (!this.continueOnFail()) throw error;
				const json = { error: error.message, details: error.description ?? '' };
				return [{ json, pairedItem: { item: itemIndex } }];
			}
		});
		return [output.flat()];
	}
}

/** Gives the operation that is chosen, which is the same for all items. Throws NodeOperationError when there is none of that name. */
function chosenOperation(context: IExecuteFunctions): Operation {
	const resource = context.getNodeParameter('resource', 0);
	const name = context.getNodeParameter('operation', 0);
	const operation = findOperation(resources, resource, name);
	if (operation !== undefined) return operation;
	throw new NodeOperationError(context.getNode(), `The Argyle node can't do "${name}" with "${resource}"`, {
		description:
			'The workflow may come from a newer version of this node. Update n8n-nodes-argyle, or choose the operation again.',
	});
}

/** Begins the operation; what can't be is a node's error. */
function begin(context: IExecuteFunctions, operation: Operation): Run {
	try {
		return operation.begin(context);
	} catch (caught) {
		throw toNodeError(context.getNode(), caught);
	}
}

const paired = (items: INodeExecutionData[], item: number) => items.map((each) => ({ ...each, pairedItem: { item } }));
