import { DateTime } from 'luxon';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { optionsField } from '../../shared/fields';
import { readDisclosure } from '../../shared/parameters';
import { toItems } from '../records/recordOutput';

/** The option is off when it is added, as Include Sensitive Data is. */
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

/** Returns a text such as "3 hours ago", for a person who wants to know whether events arrive. */
function sinceLastSent({ last_sent_at: lastSentAt }: IDataObject): string {
	const time = typeof lastSentAt === 'string' ? DateTime.fromISO(lastSentAt, { locale: 'en' }) : undefined;
	return time?.toRelative() ?? 'never';
}

function maskSecret({ secret, ...rest }: IDataObject): IDataObject {
	return { ...rest, has_secret: typeof secret === 'string' && secret !== '' };
}

/**
 * Reads, before any request, whether the item's options ask for the secret. If the options don't, each record has
 * `has_secret` in place of `secret`.
 */
export function readSubscriptionOutput(
	context: IExecuteFunctions,
	itemIndex: number,
): (records: IDataObject[]) => INodeExecutionData[] {
	const includeSecret = readDisclosure(context, itemIndex, 'includeSecret', 'Include Secret');
	const shown = (record: IDataObject) => (includeSecret || !('secret' in record) ? record : maskSecret(record));
	return (records) => toItems(records.map((record) => ({ ...shown(record), last_sent: sinceLastSent(record) })));
}
