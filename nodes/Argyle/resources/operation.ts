import type { IDisplayOptions, IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

/** One thing that the node can do with a resource: what it shows, and what it does for one item. */
export interface Operation {
	/** As saved in workflows. */
	value: string;
	/** In the list of operations, Title Case. */
	name: string;
	/** In the node's list of actions and as its subtitle, such as "Create a webhook subscription". */
	action: string;
	description: string;
	fields: INodeProperties[];
	/** Begins it for the items of one execution. Throws ArgyleError when what holds for all of them can't be. */
	begin(context: IExecuteFunctions): Run;
}

/** An operation that goes over items. */
export interface Run {
	/** For how many items it may run at a time. */
	atOnce: number;
	/** Runs for one item, until the signal ends it. Rejects with ArgyleError. */
	one(itemIndex: number, signal: AbortSignal): Promise<INodeExecutionData[]>;
}

type Execute = (context: IExecuteFunctions, itemIndex: number, signal: AbortSignal) => Promise<INodeExecutionData[]>;

const going =
	(execute: Execute, atOnce: number): Operation['begin'] =>
	(context) => ({ atOnce, one: async (itemIndex, signal) => await execute(context, itemIndex, signal) });

/** Enough to use the whole rate that Argyle allows when answers take 200 ms. */
export const READS_AT_ONCE = 10;

/** For what only reads. */
export const severalAtOnce = (execute: Execute) => going(execute, READS_AT_ONCE);

/** For what changes something: it goes by the order of the items, and stops at the first failure. */
export const oneByOne = (execute: Execute) => going(execute, 1);

/** A group of operations. */
export interface Resource {
	value: string;
	name: string;
	operations: Operation[];
}

function shownFor(field: INodeProperties, show: NonNullable<IDisplayOptions['show']>): INodeProperties {
	return { ...field, displayOptions: { ...field.displayOptions, show: { ...show, ...field.displayOptions?.show } } };
}

const firstOf = (choices: Array<{ value: string }>) => choices[0].value;

/**
 * Takes the resources; gives the node's parameters: the two choosers, then each operation's fields where it is
 * chosen.
 */
export function toProperties(resources: Resource[]): INodeProperties[] {
	const resourceChooser: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: firstOf(resources),
	};
	return [resourceChooser, ...resources.flatMap(resourceProperties)];
}

function resourceProperties({ value: resource, operations }: Resource): INodeProperties[] {
	const operationChooser: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: operations.map(({ name, value, action, description }) => ({ name, value, action, description })),
		default: firstOf(operations),
		displayOptions: { show: { resource: [resource] } },
	};
	const fields = operations.flatMap(({ value: operation, fields: own }) =>
		own.map((field) => shownFor(field, { resource: [resource], operation: [operation] })),
	);
	return [operationChooser, ...fields];
}

/** Takes the names saved in a workflow; gives the operation, undefined when this version has none of that name. */
export function findOperation(resources: Resource[], resource: string, operation: string): Operation | undefined {
	return resources.find(({ value }) => value === resource)?.operations.find(({ value }) => value === operation);
}
