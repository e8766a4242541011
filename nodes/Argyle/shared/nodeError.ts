import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { ArgyleError } from '../transport/errors';

/**
 * The one border between our errors and n8n's: a NodeApiError when the service responded, else a NodeOperationError.
 * Nothing of the request is passed on, because it carries the key. Nor are the node's parameters, among which may be a
 * subscription's secret: n8n hands the error to error workflows as a whole.
 */
export function toNodeError(
	nodeOfWorkflow: INode,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	const node = { ...nodeOfWorkflow, parameters: {} };
	if (!(error instanceof ArgyleError)) {
		return new NodeOperationError(node, error instanceof Error ? error : String(error), { itemIndex });
	}
	const message = itemIndex === undefined ? error.message : `${error.message} [item ${itemIndex}]`;
	const { description, statusCode, details } = error;
	return statusCode === undefined
		? new NodeOperationError(node, details.userError ?? message, { message, description, itemIndex })
		: new NodeApiError(node, {}, { message, description, httpCode: String(statusCode), itemIndex });
}
