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
	/**
	 * For how many items it may run at a time; one by one unless told, so that what changes something goes by the order of
	 * the items and stops at the first failure. Throws ArgyleError.
	 */
	atOnce?(context: IExecuteFunctions): number;
	/** Runs the operation for one item, until the signal ends it. Throws ArgyleError. */
	execute(context: IExecuteFunctions, itemIndex: number, signal: AbortSignal): Promise<INodeExecutionData[]>;
}

/** Enough to use the whole rate that Argyle allows when answers take 200 ms. */
export const READS_AT_ONCE = 10;

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
