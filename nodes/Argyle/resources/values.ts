import type { IExecuteFunctions } from 'n8n-workflow';

import { ArgyleError } from '../api/errors';

/**
 * Takes an item; gives how many records it wants at most: Infinity for Return All. Throws ArgyleError when the limit
 * is no positive whole number.
 */
export function readLimit(context: IExecuteFunctions, itemIndex: number): number {
	if (context.getNodeParameter('returnAll', itemIndex, false) === true) return Infinity;
	const limit: unknown = context.getNodeParameter('limit', itemIndex);
	if (typeof limit === 'number' && Number.isSafeInteger(limit) && limit > 0) return limit;
	throw new ArgyleError(
		'Limit is not a positive whole number',
		'Enter how many results you want, such as 50. Nothing was sent to Argyle.',
	);
}

/**
 * Takes a date as n8n hands it over (ISO text, a Date, or a Luxon DateTime) and the field's name; gives it as ISO
 * 8601 in UTC. Throws ArgyleError when it is no date.
 */
export function readDate(value: unknown, fieldName: string): string {
	const date = new Date(String(value));
	if (!Number.isNaN(date.getTime())) return date.toISOString();
	throw new ArgyleError(
		`${fieldName} is not a date`,
		'Enter a date such as 2026-11-01T00:00:00Z. Nothing was sent to Argyle.',
	);
}
