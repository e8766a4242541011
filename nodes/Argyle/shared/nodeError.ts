import { type IDataObject, type INode, NodeApiError, NodeHelpers, NodeOperationError } from 'n8n-workflow';

import { ArgyleError } from '../transport/errors';

/** Whether a node is a tool of an agent: n8n gives it a type of its own there, whichever way it runs it. */
export const isTool = ({ type }: INode): boolean => NodeHelpers.isToolType(type);

/**
 * The one border between our errors and n8n's: a NodeApiError when the service responded, else a NodeOperationError.
 * Nothing of the request is passed on, because it carries the key. Nor are the node's parameters, among which may be a
 * subscription's secret: n8n hands the error to error workflows as a whole. To an agent n8n gives the message alone, so
 * in a tool the advice is in it too.
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
	const { description, details } = error;
	const { statusCode, userError, namesItem = false } = details;
	const place = itemIndex === undefined || namesItem ? '' : ` [item ${itemIndex}]`;
	const suffix = isTool(nodeOfWorkflow) ? `. ${description}` : place;
	const message = `${error.message}${suffix}`;
	return statusCode === undefined
		? new NodeOperationError(node, userError ?? message, { message, description, itemIndex })
		: new NodeApiError(node, {}, { message, description, httpCode: String(statusCode), itemIndex });
}

/**
 * By these fields, and no others beside them, every n8n 2 knows an item for the error output. If `error` were set on
 * the item too, n8n would replace all fields, those of the input included, by the message. `more` holds fields that the
 * item has only if the node has no error output.
 */
export function failedItem(
	{ message: error, description: message, node: { onError } }: NodeApiError | NodeOperationError,
	more: IDataObject = {},
): IDataObject {
	const item = message && !error.includes(message) ? { error, message } : { error };
	return onError === 'continueErrorOutput' ? item : { ...more, ...item };
}
