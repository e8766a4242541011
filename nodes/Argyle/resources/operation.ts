import type { IDisplayOptions, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { AttemptOf } from '../api/writeOnce';
import { agentsMayActField, isHiddenFromAgents, operationFields } from './agentPermission';

/** How the calls of one item are made, for `connect`. */
export interface ItemCall {
	signal: AbortSignal;
	/** Lets another item begin. */
	onSend: () => void;
	/** For `writeOnce`. */
	attemptOf: AttemptOf;
}

/** What an operation does with the items of one execution. */
export interface ItemProcessing {
	/** How many items are processed at a time. */
	concurrency: number;
	/** Processes one item. Throws ArgyleError. */
	execute(context: IExecuteFunctions, itemIndex: number, call: ItemCall): Promise<INodeExecutionData[]>;
}

/**
 * What an operation does to the world, beside reading: agents do only what `changes`, unless the node allows more.
 * `orders` is what may cost money or can't be taken back.
 */
export type Effect = 'changes' | 'erases' | 'orders' | 'writesToPeople';

export interface OperationDescription {
	/** As saved in workflows. */
	value: string;
	/** In the list of operations, in Title Case. */
	name: string;
	/** In the node's list of actions, such as "Create a webhook subscription". */
	action: string;
	description: string;
	/** @default it only reads */
	effect?: Effect;
	fields: INodeProperties[];
}

/** `prepare` is for operations whose settings are the same for all items. It throws ArgyleError. */
export type Operation = OperationDescription &
	(ItemProcessing | { prepare(context: IExecuteFunctions): ItemProcessing });

/** Uses the whole rate that Argyle allows as long as responses take less than five seconds. */
export const READ_CONCURRENCY = 250;

/** In the order of the items, stopping at the first failure. */
export const WRITE_CONCURRENCY = 1;

export interface Resource {
	value: string;
	name: string;
	operations: Operation[];
}

function shownFor(field: INodeProperties, show: NonNullable<IDisplayOptions['show']>): INodeProperties {
	return { ...field, displayOptions: { ...field.displayOptions, show: { ...show, ...field.displayOptions?.show } } };
}

const firstOf = (choices: Array<{ value: string }>) => choices[0].value;

const namesOf = (choices: Array<{ value: string; name: string }>) =>
	JSON.stringify(Object.fromEntries(choices.map(({ value, name }) => [value, name])));

/** What the canvas shows below the node, such as "User Form: Get Many". An operation has one name in all resources. */
export function toSubtitle(resources: Resource[]): string {
	const operations = namesOf(resources.flatMap((resource) => resource.operations));
	return `={{ (${namesOf(resources)})[$parameter.resource] + ": " + (${operations})[$parameter.operation] }}`;
}

/** The node's parameters: Resource and Operation, then each operation's fields, shown where it is chosen. */
export function toProperties(resources: Resource[]): INodeProperties[] {
	const resourceField: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: firstOf(resources),
	};
	const withHidden = resources.filter(({ operations }) => operations.some(isHiddenFromAgents));
	return [
		resourceField,
		...(withHidden.length === 0
			? []
			: [shownFor(agentsMayActField, { resource: withHidden.map(({ value }) => value) })]),
		...resources.flatMap(resourceProperties),
	];
}

function resourceProperties({ value: resource, operations }: Resource): INodeProperties[] {
	const fields = operations.flatMap(({ value: operation, fields: own }) =>
		own.map((field) => shownFor(field, { resource: [resource], operation: [operation] })),
	);
	return [...operationFields(resource, operations), ...fields];
}
