import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { ArgyleError } from '../transport/errors';

/**
 * Takes anything caught and, for a run over items, the item's index; gives the error that n8n shows: a NodeApiError
 * when the service answered, else a NodeOperationError. The message names the item; nothing of the request travels
 * along.
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
