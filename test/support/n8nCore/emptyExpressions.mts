import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { actionNode } from './n8nContext.mts';
import { byId, type RunOptions } from './nodeFixture.mts';

/** What an empty cell, a field that isn't there, or a choice that was not made comes to. */
const NOTHING: Array<IDataObject[string]> = [
	...['', ' \n ', null, undefined, [], ['', null, ' ']],
	{ __rl: true, mode: 'id', value: '' },
];

/** An expression that gives one of these, where the item has it in `nothing`. */
const GIVES_NOTHING = '={{ $json.nothing }}';

/** Each way in which a field can hold the expression. */
const WAYS = [GIVES_NOTHING, byId(GIVES_NOTHING), [GIVES_NOTHING]];

/**
 * What becomes of a field whose expression gives nothing: with each kind of nothing, and with each way to save the
 * expression in a node and in a tool, which the node tells apart in other places.
 */
export async function errorsOfNothing(
	run: (saved: unknown, options: RunOptions) => Promise<INodeExecutionData[]>,
): Promise<Array<{ nothing: unknown; saved: unknown; isTool: boolean; error: unknown }>> {
	const inEachWay = [false, true].flatMap((isTool) => WAYS.map((saved) => ({ isTool, saved, nothings: [null] })));
	const runs = [{ isTool: false, saved: GIVES_NOTHING, nothings: NOTHING }, ...inEachWay];
	const tries = runs.map(async ({ isTool, saved, nothings }) => {
		const items = nothings.map((nothing) => ({ json: { nothing } }));
		const output = await run(saved, { items, isTool, continueOnFail: true });
		return nothings.map((nothing, index) => ({ nothing, saved, isTool, error: output[index]?.json.error }));
	});
	return (await Promise.all(tries)).flat();
}

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
