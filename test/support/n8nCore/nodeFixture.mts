import { Container } from '@n8n/di';
import { BinaryDataService, ExecuteContext, LoadOptionsContext } from 'n8n-core';
import { createEmptyRunExecutionData, type IBinaryData, type IDataObject, type INodeExecutionData } from 'n8n-workflow';
import { makeAdditionalData, makeWorkflow, nodeTypes, type OneNode } from './n8nContext.mts';

const ACTION = 'n8n-nodes-argyle.argyle';

/** Runs the Argyle node over items in n8n's own execution context; gives its output, throws what the node throws. `signal` stops the execution. */
export async function runArgyle(
	credential: IDataObject,
	setup: Omit<OneNode, 'type'>,
	items: INodeExecutionData[] = [{ json: {} }],
	signal?: AbortSignal,
): Promise<INodeExecutionData[]> {
	await Container.get(BinaryDataService).init();
	const { workflow, node } = makeWorkflow({ ...setup, type: ACTION });
	const input = { main: [items] };
	const context = new ExecuteContext(
		workflow,
		node,
		makeAdditionalData(credential),
		'manual',
		createEmptyRunExecutionData(),
		0,
		items,
		input,
		{ node, data: input, source: null },
		[],
		signal,
	);
	const output = await nodeTypes[ACTION]?.execute?.call(context);
	if (!Array.isArray(output) || !Array.isArray(output[0])) throw new Error('the node gave no output');
	return output[0];
}

/** Gives the bytes of a binary that a node put out, wherever n8n keeps them. */
export async function bytesOf(binary: IBinaryData | undefined): Promise<Buffer> {
	if (binary === undefined) throw new Error('no binary');
	return await Container.get(BinaryDataService).getAsBuffer(binary);
}

/** Asks one of the node's pickers in n8n's own context. */
export async function search(
	credential: IDataObject,
	method: 'searchUsers' | 'searchWebhooks',
	filter?: string,
	paginationToken?: string,
): Promise<{ results: Array<{ name: string; value: unknown }>; paginationToken?: unknown }> {
	const { workflow, node } = makeWorkflow({ type: ACTION, parameters: {} });
	const context = new LoadOptionsContext(workflow, node, makeAdditionalData(credential), '');
	const found = await nodeTypes[ACTION]?.methods?.listSearch?.[method]?.call(context, filter, paginationToken);
	if (found === undefined) throw new Error(`no picker ${method}`);
	return found;
}
