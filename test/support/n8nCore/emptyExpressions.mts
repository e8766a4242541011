import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { actionNode } from './n8nContext.mts';
import { byId } from './nodeFixture.mts';

/** What an empty cell, a field that isn't there, or a choice that was not made comes to. */
export const NOTHING: Array<[kind: string, value: IDataObject[string]]> = [
	['an empty text', ''],
	['blanks', ' \n '],
	['null', null],
	['undefined', undefined],
	['an empty list', []],
	['a list of empties', ['', null, ' ']],
	['a choice without a value', { __rl: true, mode: 'id', value: '' }],
];

/** An expression that gives one of these, where the item has it in `nothing`. */
export const GIVES_NOTHING = '={{ $json.nothing }}';

/** Each way in which a field can hold the expression. */
export const WAYS = [GIVES_NOTHING, byId(GIVES_NOTHING), [GIVES_NOTHING]];

/** The fields of the Argyle node that a condition holds for, with each resource and operation that shows them. */
export function fieldsWhere(
	condition: (field: INodeProperties) => boolean,
): Array<{ resource: string; operation: string; field: INodeProperties }> {
	return actionNode.description.properties.filter(condition).flatMap((field) => {
		const { resource = [], operation = [] } = field.displayOptions?.show ?? {};
		return resource.flatMap((one) =>
			operation.map((other) => ({ resource: String(one), operation: String(other), field })),
		);
	});
}
