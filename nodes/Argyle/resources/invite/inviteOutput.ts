import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { createMask } from '../../api/sensitiveFields';
import { readId } from '../../shared/parameters';

/** Throws ArgyleError when the item names no invite. */
export function readInviteId(context: IExecuteFunctions, itemIndex: number): string {
	return readId(context.getNodeParameter('inviteId', itemIndex, '', { extractValue: true }), 'Invite');
}

/** With the link, which is what people want to see, and without the token, which nobody needs. */
export function toInviteItems(context: IExecuteFunctions, invites: IDataObject[]): INodeExecutionData[] {
	return context.helpers.returnJsonArray(invites.map(createMask()));
}
