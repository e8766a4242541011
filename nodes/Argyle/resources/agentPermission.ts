import type { IDisplayOptions, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isTool } from '../shared/nodeError';
import { ArgyleError } from '../transport/errors';
import type { Effect, OperationDescription } from './operation';

/** Shown where the node is a tool of an agent. Its value can't come from a model. */
export const agentsMayActField: INodeProperties = {
	displayName: 'Agent May Erase, Order and Write to People',
	name: 'agentMayAct',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		'Whether this tool may be one that erases data, writes to a person, or orders what may cost money. The agent then does so by itself, without asking anybody.',
	displayOptions: { show: { '@tool': [true] } },
};

const FORBIDDEN: Record<Exclude<Effect, 'changes'>, string> = {
	erases: 'erases data for good',
	orders: 'may cost money or can not be taken back',
	writesToPeople: 'writes to a person',
};

export const isHiddenFromAgents = ({ effect }: Pick<OperationDescription, 'effect'>): boolean =>
	effect !== undefined && effect !== 'changes';

type Show = NonNullable<IDisplayOptions['show']>;

function operationField(operations: OperationDescription[], show: Show): INodeProperties {
	const firstValue = operations[0].value;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: operations.map(({ name, value, action, description }) => ({ name, value, action, description })),
		default: firstValue,
		displayOptions: { show },
	};
}

/**
 * The choice of a resource's operations: in a tool those that agents may do, or all where the node allows it. n8n takes
 * the actions of its node creator from the first.
 */
export function operationFields(resource: string, operations: OperationDescription[]): INodeProperties[] {
	const forAgents = operations.filter((operation) => !isHiddenFromAgents(operation));
	const show: Show = { resource: [resource] };
	if (forAgents.length === operations.length) return [operationField(operations, show)];
	return [
		operationField(operations, { ...show, '@tool': [false] }),
		operationField(operations, { ...show, '@tool': [true], [agentsMayActField.name]: [true] }),
		operationField(forAgents, { ...show, '@tool': [true], [agentsMayActField.name]: [{ _cnd: { not: true } }] }),
	];
}

export function assertAllowed(context: IExecuteFunctions, { name, effect }: OperationDescription): void {
	if (effect === undefined || effect === 'changes' || !isTool(context.getNode())) return;
	if (context.getNodeParameter(agentsMayActField.name, 0, false, { rawExpressions: true }) === true) return;
	throw new ArgyleError(
		`An agent may not do this: ${name} ${FORBIDDEN[effect]}`,
		`Nothing was sent to Argyle. Whoever builds the workflow can allow it with ${agentsMayActField.displayName} in this tool.`,
	);
}
