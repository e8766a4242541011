import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { optionsField } from '../../shared/fields';
import { readBoolean, readUuid } from '../../shared/parameters';

export function readWebhookId(context: IExecuteFunctions, itemIndex: number): string {
	const chosen = context.getNodeParameter('webhookId', itemIndex, '', { extractValue: true });
	return readUuid(chosen, 'Webhook Subscription');
}

export const secretOptionField = optionsField([
	{
		displayName: 'Include Secret',
		name: 'includeSecret',
		type: 'boolean',
		default: false,
		description:
			"Whether to put the subscription's secret into the output. Everyone who can see the execution can read it then.",
	},
]);

function maskSecret({ secret, ...rest }: IDataObject): IDataObject {
	return { ...rest, has_secret: typeof secret === 'string' && secret !== '' };
}

/** Replaces each record's `secret` by `has_secret`, unless the item's options ask for it. */
export function toMaskedItems(
	context: IExecuteFunctions,
	itemIndex: number,
	records: IDataObject[],
): INodeExecutionData[] {
	const option = context.getNodeParameter('options.includeSecret', itemIndex, false);
	const includeSecret = readBoolean(option, 'Include Secret');
	return context.helpers.returnJsonArray(
		records.map((record) => (includeSecret || !('secret' in record) ? record : maskSecret(record))),
	);
}
