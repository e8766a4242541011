import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { agentsMayActField, isHiddenFromAgents, operationFields } from './agentPermission';
import type { Resource } from './operation';

function shownFor(field: INodeProperties, show: NonNullable<IDisplayOptions['show']>): INodeProperties {
	return { ...field, displayOptions: { ...field.displayOptions, show: { ...show, ...field.displayOptions?.show } } };
}

const firstOf = (choices: Array<{ value: string }>) => choices[0].value;

const namesOf = (choices: Array<{ value: string; name: string }>) =>
	JSON.stringify(Object.fromEntries(choices.map(({ value, name }) => [value, name])));

/**
 * Returns the expression for what the canvas shows below the node, such as "User Form: Get Many". It rests on the rule
 * that operations with the same value have the same name in all resources.
 */
export function toSubtitle(resources: Resource[]): string {
	const operations = namesOf(resources.flatMap((resource) => resource.operations));
	return `={{ (${namesOf(resources)})[$parameter.resource] + ": " + (${operations})[$parameter.operation] }}`;
}

/**
 * Returns the node's parameters: Resource and Operation, and the fields of each operation, which are shown if that
 * operation is chosen.
 */
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
