import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import type { JsonRecord } from '../../utils/json';
import { toItems } from '../readOperations';
import { readUuid } from '../../shared/parameters';

/** Takes an item; gives the id of the subscription that it names. Throws ArgyleError when there is none. */
export function readWebhookId(context: IExecuteFunctions, itemIndex: number): string {
	const chosen = context.getNodeParameter('webhookId', itemIndex, '', { extractValue: true });
	return readUuid(chosen, 'Webhook Subscription');
}

/** The collection that brings back the secret, which is otherwise replaced by `has_secret`. */
export const secretOptionField: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Include Secret',
			name: 'includeSecret',
			type: 'boolean',
			default: false,
			description:
				"Whether to put the subscription's secret into the output. Everyone who can see the execution can read it then.",
		},
	],
};

/**
 * Takes a subscription's record; gives it with `secret` replaced by `has_secret`, or unchanged when the secret is
 * asked for.
 */
function maskSecret(record: JsonRecord, includeSecret: boolean): JsonRecord {
	if (includeSecret || !('secret' in record)) return record;
	const { secret, ...rest } = record;
	return { ...rest, has_secret: typeof secret === 'string' && secret !== '' };
}

/** Takes subscription records; gives them as items, the secret masked unless this item's options ask for it. */
export function toMaskedItems(
	context: IExecuteFunctions,
	itemIndex: number,
	records: JsonRecord[],
): INodeExecutionData[] {
	const includeSecret = context.getNodeParameter('options.includeSecret', itemIndex, false) === true;
	return toItems(
		context,
		records.map((record) => maskSecret(record, includeSecret)),
	);
}
