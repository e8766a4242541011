import { type IDataObject, type INode, NodeApiError, NodeHelpers, NodeOperationError } from 'n8n-workflow';

import { ArgyleError } from '../transport/errors';

/** Whether a node is a tool of an agent. n8n gives a tool a type of its own, however the tool is run. */
export const isTool = ({ type }: INode): boolean => NodeHelpers.isToolType(type);

/**
 * Returns a text in which nothing counts as markup. The text of an error may hold the words of a person or a service,
 * and n8n's editor shows links and pictures in a description. When a picture is loaded, its server learns who reads the
 * error.
 */
const withoutMarkup = (text: string) => text.replace(/<(?=[a-z/!?])/gi, '< ');

/**
 * Turns an error into one of n8n's. It is a NodeApiError if the service responded, and otherwise a NodeOperationError.
 * Nothing else turns this package's errors into n8n's. n8n hands the whole error to error workflows. So the error holds
 * neither the request, which carries the key, nor the node's parameters, which may hold a subscription's secret. n8n
 * gives an agent only the message, so in a tool the message holds the advice too.
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
	const { details } = error;
	const description = withoutMarkup(error.description);
	const { statusCode, userError, namesItem = false } = details;
	const place = itemIndex === undefined || namesItem ? '' : ` [item ${itemIndex}]`;
	const suffix = isTool(nodeOfWorkflow) ? `. ${description}` : place;
	const message = `${withoutMarkup(error.message)}${suffix}`;
	return statusCode === undefined
		? new NodeOperationError(node, userError ?? message, { message, description, itemIndex })
		: new NodeApiError(node, {}, { message, description, httpCode: String(statusCode), itemIndex });
}

/**
 * Returns the JSON of an item that failed. All releases of n8n 2 send an item to the error output if its JSON has only
 * `error`, or `error` and `message`. If the item had `error` beside `json` and not in it, n8n would replace all fields
 * by the message. `more` holds fields that the item gets only if the node has no error output.
 */
export function failedItem(
	{ message: error, description: message, node: { onError } }: NodeApiError | NodeOperationError,
	more: IDataObject = {},
): IDataObject {
	const item = message && !error.includes(message) ? { error, message } : { error };
	return onError === 'continueErrorOutput' ? item : { ...more, ...item };
}
