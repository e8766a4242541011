import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { createMask } from '../../api/sensitiveFields';
import { verificationIdField } from '../../shared/fields';
import { readChosenId, readId } from '../../shared/parameters';

export function readVerificationId(context: IExecuteFunctions, itemIndex: number): string {
	return readChosenId(context, itemIndex, verificationIdField, readId);
}

export function toVerificationItems(context: IExecuteFunctions, verification: IDataObject): INodeExecutionData[] {
	return context.helpers.returnJsonArray(createMask()(verification));
}
