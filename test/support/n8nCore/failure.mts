import { NodeApiError, NodeOperationError } from 'n8n-workflow';

/** Gives the node error that something fails with; rejects when it fails in another way, or not at all. */
export async function failure(action: Promise<unknown>): Promise<NodeApiError | NodeOperationError> {
	const error: unknown = await action.then(
		() => 'it did not fail',
		(caught: unknown) => caught,
	);
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	throw new Error(`did not fail as a node does: ${String(error)}`);
}
