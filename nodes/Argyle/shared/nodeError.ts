import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { ArgyleError } from '../transport/errors';

/**
 * The one border between our errors and n8n's: a NodeApiError when the service responded, else a NodeOperationError.
 * Nothing of the request is passed on, because it carries the key.
 */
export function toNodeError(node: INode, error: unknown, itemIndex?: number): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	if (!(error instanceof ArgyleError)) {
		return new NodeOperationError(node, error instanceof Error ? error : String(error), { itemIndex });
	}
	const message = itemIndex === undefined ? error.message : `${error.message} [item ${itemIndex}]`;
	const { description, statusCode } = error;
	return statusCode === undefined
		? new NodeOperationError(node, message, { description, itemIndex })
		: new NodeApiError(node, {}, { message, description, httpCode: String(statusCode), itemIndex });
}
