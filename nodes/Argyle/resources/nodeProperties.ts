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
		...resources.flatMap(({ value, operations }) => operationFields(value, operations)),
		...sharedFields(resources),
	];
}

/** A field, and by resource the operations that show it. */
interface SharedField {
	field: INodeProperties;
	/** The same text for equal fields. */
	text: string;
	operations: Map<string, string[]>;
}

/**
 * Returns the fields of all operations, each of which shows its own in its own order. A field that is equal in several
 * operations comes once, because the editor, and each model that looks at the node, loads all fields.
 */
function sharedFields(resources: Resource[]): INodeProperties[] {
	const shared: SharedField[] = [];
	const all = resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value: operation, fields }) => ({ resource, operation, fields })),
	);
	// More fields find their equal when the longest list comes first, and when lists are compared from their ends.
	for (const { resource, operation, fields } of all.sort((one, other) => other.fields.length - one.fields.length)) {
		let end = shared.length;
		for (const field of [...fields].reverse()) {
			const text = JSON.stringify(field);
			const texts = shared.slice(0, end).map((each) => each.text);
			const found = texts.lastIndexOf(text);
			if (found < 0) shared.splice(end, 0, { field, text, operations: new Map([[resource, [operation]]]) });
			else {
				const { operations: shownIn } = shared[found];
				shownIn.set(resource, [...(shownIn.get(resource) ?? []), operation]);
				end = found;
			}
		}
	}
	return shared.flatMap(({ field, operations }) => placesOf(operations).map((show) => shownFor(field, show)));
}

/** Puts resources with the same operations together, because n8n combines each resource with each operation. */
function placesOf(operations: SharedField['operations']): Array<{ resource: string[]; operation: string[] }> {
	const places = new Map<string, { resource: string[]; operation: string[] }>();
	for (const [resource, operation] of operations) {
		const key = operation.join();
		places.set(key, { operation, resource: [...(places.get(key)?.resource ?? []), resource] });
	}
	return [...places.values()];
}
