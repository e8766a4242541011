import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { testArgyleApi } from './credentialTest';
import { searchUsers } from './listSearch/searchUsers';
import { searchWebhooks } from './listSearch/searchWebhooks';
import { toNodeError } from './nodeError';
import { resources } from './resources';
import { findOperation, toProperties } from './resources/operation';

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
		const output: INodeExecutionData[] = [];
		for (let itemIndex = 0; itemIndex < this.getInputData().length; itemIndex++) {
			try {
				const resource = this.getNodeParameter('resource', itemIndex);
				const name = this.getNodeParameter('operation', itemIndex);
				const operation = findOperation(resources, resource, name);
				if (operation === undefined) {
					throw new NodeOperationError(this.getNode(), `The Argyle node can't do "${name}" with "${resource}"`, {
						description:
							'The workflow may come from a newer version of this node. Update n8n-nodes-argyle, or choose the operation again.',
						itemIndex,
					});
				}
				const items = await operation.execute(this, itemIndex);
				output.push(...items.map((item) => ({ ...item, pairedItem: { item: itemIndex } })));
			} catch (caught) {
				const error = toNodeError(this.getNode(), caught, itemIndex);
				if (!this.continueOnFail()) throw error;
				output.push({
					json: { error: error.message, details: error.description ?? '' },
					pairedItem: { item: itemIndex },
				});
			}
		}
		return [output];
	}
}
