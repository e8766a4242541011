import type { IDisplayOptions, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { isTool } from '../shared/nodeError';
import { refused } from '../transport/errors';
import type { Effect, OperationDescription } from './operation';

/** A field that is shown if the node is a tool of an agent. A model can't give its value. */
export const agentsMayActField: INodeProperties = {
	displayName: "Agent May Do What Can't Be Undone",
	name: 'agentMayAct',
	type: 'boolean',
	noDataExpression: true,
	default: false,
	description:
		'Whether this tool may write to a person, cost money, give others access to data, or overwrite, end or erase something for good. The agent then does so by itself, without asking anybody.',
	displayOptions: { show: { '@tool': [true] } },
};

/** Why somebody has to allow an operation for an agent. Undefined for what an agent may always do. */
const REASONS: Record<Effect, string | undefined> = {
	reads: undefined,
	changes: undefined,
	endsForGood: 'ends something for good',
	erases: 'erases data for good',
	givesAccess: 'gives others access to data',
	orders: "may cost money, or can't be taken back",
	overwrites: 'overwrites what nobody can bring back',
	writesToPeople: 'writes to a person',
};

export const isHiddenFromAgents = ({ effect }: Pick<OperationDescription, 'effect'>): boolean =>
	REASONS[effect] !== undefined;

type Show = NonNullable<IDisplayOptions['show']>;

function operationField(operations: OperationDescription[], show: Show, isFirst = false): INodeProperties {
	const firstValue = operations[0].value;
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: operations.map(({ name, value, action, description }) => ({
			name,
			value,
			...(isFirst && { action }),
			description,
		})),
		default: firstValue,
		displayOptions: { show },
	};
}

/**
 * The fields in which people choose an operation of a resource. A tool offers only what agents may do, unless the node
 * allows everything. The first field must have all operations, because n8n makes its list of actions from the first
 * field.
 */
export function operationFields(resource: string, operations: OperationDescription[]): INodeProperties[] {
	const forAgents = operations.filter((operation) => !isHiddenFromAgents(operation));
	const show: Show = { resource: [resource] };
	// One list is enough if agents may use all operations. If they may use none, the list shows all, because it can't be
	// empty. A tool then refuses the operation when it runs.
	if ([0, operations.length].includes(forAgents.length)) return [operationField(operations, show, true)];
	return [
		operationField(operations, { ...show, '@tool': [false] }, true),
		operationField(operations, { ...show, '@tool': [true], [agentsMayActField.name]: [true] }),
		operationField(forAgents, { ...show, '@tool': [true], [agentsMayActField.name]: [{ _cnd: { not: true } }] }),
	];
}

export function assertAllowed(context: IExecuteFunctions, { name, effect }: OperationDescription): void {
	const reason = REASONS[effect];
	if (reason === undefined || !isTool(context.getNode())) return;
	if (context.getNodeParameter(agentsMayActField.name, 0, false, { rawExpressions: true }) === true) return;
	throw refused(
		`An agent may not do this: ${name} ${reason}`,
		`Whoever builds the workflow can allow it with ${agentsMayActField.displayName} in this tool.`,
	);
}
