import { type IDataObject, type INode, NodeApiError, NodeHelpers, NodeOperationError } from 'n8n-workflow';

import { ArgyleError } from '../transport/errors';

/** Whether a node is a tool of an agent. n8n gives a tool a type of its own, however the tool is run. */
export const isTool = ({ type }: INode): boolean => NodeHelpers.isToolType(type);

/**
 * The same words without markup. They may be those of a person or a service, and n8n's editor shows the links and
 * pictures in a description: a picture would tell its server who reads the error.
 */
const withoutMarkup = (text: string) => text.replace(/<(?=[a-z/!?])/gi, '< ');

/**
 * The one border between our errors and n8n's: a NodeApiError when the service responded, else a NodeOperationError.
 * n8n hands the whole error to error workflows. So it holds neither the request, which carries the key, nor the node's
 * parameters, which may have a subscription's secret. n8n gives an agent the message alone, so the message of a tool
 * has the advice too.
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
 * Every n8n 2 sends an item whose JSON has only `error`, or `error` and `message`, to the error output. If the item
 * itself had `error` beside `json`, n8n would replace all fields by the message. `more` holds fields that the item gets
 * only if the node has no error output.
 */
export function failedItem(
	{ message: error, description: message, node: { onError } }: NodeApiError | NodeOperationError,
	more: IDataObject = {},
): IDataObject {
	const item = message && !error.includes(message) ? { error, message } : { error };
	return onError === 'continueErrorOutput' ? item : { ...more, ...item };
}
