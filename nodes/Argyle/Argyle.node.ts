import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import {
	searchEmployers,
	searchInvites,
	searchSubscriptions,
	searchUserForms,
	searchUsers,
} from './listSearch/pickers';
import { recordsOfPeople } from './listSearch/recordsOfPeople';
import { resources } from './resources';
import { assertAllowed } from './resources/agentPermission';
import { toProperties, toSubtitle } from './resources/nodeProperties';
import { concurrencyFor, type Effect, type ItemCall, type ItemProcessing } from './resources/operation';
import { openWriteMemory } from './resources/writeMemory';
import { testArgyleApi } from './shared/credentialTest';
import { failedItem, toNodeError } from './shared/nodeError';
import { connect, type RequestLimits } from './transport/client';
import { ArgyleError, asArgyleError } from './transport/errors';
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
		description:
			'Invite people, order verifications, read users, their forms and payroll records, generate reports and receipts, and manage webhook subscriptions',
		defaults: { name: 'Argyle' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'argyleApi', required: true, testedBy: 'testArgyleApi' }],
		builderHint: {
			searchHint:
				'Reads payroll and income data of Argyle, and makes receipts as PDF. The output of an Argyle Trigger has the user and the IDs in data. To read the records of an event, use Event: Get Records. An expression can name a user by ID or External ID only. Keep agentMayAct, includeSensitive and includeSecret off unless the person asks for them. Never give a whole collection, such as additionalFields or filters, one expression: n8n drops it.',
			relatedNodes: [
				{ nodeType: 'n8n-nodes-argyle.argyleTrigger', relationHint: 'Starts a workflow on events of Argyle' },
			],
		},
		properties: toProperties(resources),
	};

	methods = {
		credentialTest: { testArgyleApi },
		listSearch: {
			...recordsOfPeople,
			searchEmployers,
			searchInvites,
			searchUserForms,
			searchUsers,
			searchSubscriptions,
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const count = this.getInputData().length;
		if (count === 0) return [[]];
		let processing: Processing;
		try {
			processing = await itemProcessing(this);
		} catch (caught) {
			const error = toNodeError(this.getNode(), caught);
			if (!this.continueOnFail()) throw error;
			// Without these items, n8n would pass on the input, even to a model, as if everything had been done.
			return [this.getInputData().map((_, item) => ({ json: failedItem(error), pairedItem: { item } }))];
		}
		const { effect, concurrency, execute, finish, resultOf, stopped = withDoneItems } = processing;
		const memory = openWriteMemory(this);
		const failed = new Set<number>();
		const forEachItem = async (
			atOnce: number,
			explain: (caught: unknown, itemIndex: number) => unknown,
			work: (itemIndex: number, call: ItemCall, onWaiting: () => void) => Promise<INodeExecutionData[]>,
		) =>
			await mapConcurrently(
				{ count, concurrency: atOnce, signal: this.getExecutionCancelSignal() },
				async (itemIndex, { signal, onWaiting }) => {
					try {
						const callOf = (index: number): ItemCall => ({
							connect: async (limits?: RequestLimits) =>
								await connect(this, { ...limits, itemIndex: index, signal, onSend: onWaiting }),
							attemptOf: memory.attemptOf(index),
							of: callOf,
						});
						const items = memory.withNote(itemIndex, await work(itemIndex, callOf(itemIndex), onWaiting));
						return items.map((item) => ({ ...item, pairedItem: { item: itemIndex } }));
					} catch (caught) {
						failed.add(itemIndex);
						const endsRun = !this.continueOnFail();
						const reason = endsRun && effect !== 'reads' ? explain(caught, itemIndex) : caught;
						const error = toNodeError(this.getNode(), reason, itemIndex);
						if (endsRun) throw error;
						return [{ json: failedItem(error, resultOf?.(caught, itemIndex)), pairedItem: { item: itemIndex } }];
					}
				},
			);
		const finished = async () => {
			const output = await forEachItem(concurrency, stopped, async (item, call) => await execute(this, item, call));
			if (finish === undefined) return output;
			const others = 'Argyle goes on with the other items. Find their results with Get Many.';
			const explain = (caught: unknown) => (count === 1 ? caught : withAdvice(caught, others));
			return await forEachItem(count, explain, async (item, call, onWaiting) => {
				onWaiting();
				return failed.has(item) ? output[item] : await finish(this, item, output[item], call);
			});
		};
		const output = await finished().finally(() => memory.close(failed.size > 0));
		return [output.flat()];
	}
}

/** Writes are done in the order of the items, and end with the first that fails. */
function withDoneItems(caught: unknown, itemIndex: number): unknown {
	if (itemIndex === 0) return caught;
	const done = itemIndex === 1 ? 'Item 0 was' : `Items 0 to ${itemIndex - 1} were`;
	return withAdvice(caught, `${done} done already. Before you run this again, leave out what is done.`);
}

function withAdvice(caught: unknown, advice: string): ArgyleError {
	const { message, description, details } = asArgyleError(caught);
	return new ArgyleError(message, `${description} ${advice}`, details);
}

type Processing = ItemProcessing & { concurrency: number; effect: Effect };

/**
 * Returns how the chosen operation, which is the same for all items, processes them. Throws when no item can be
 * processed.
 */
async function itemProcessing(context: IExecuteFunctions): Promise<Processing> {
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
	assertAllowed(context, operation);
	const { effect } = operation;
	const processing = 'prepare' in operation ? await operation.prepare(context) : operation;
	return { concurrency: concurrencyFor(effect), ...processing, effect };
}
