import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { createMask } from '../../api/sensitiveFields';
import { inviteIdField } from '../../shared/fields';
import { readChosenId, readId } from '../../shared/parameters';

export function readInviteId(context: IExecuteFunctions, itemIndex: number): string {
	return readChosenId(context, itemIndex, inviteIdField, readId);
}

/** The items have the link, which is what people want to see, and not the token, which nobody needs. */
export function toInviteItems(context: IExecuteFunctions, invites: IDataObject[]): INodeExecutionData[] {
	return context.helpers.returnJsonArray(invites.map(createMask()));
}
