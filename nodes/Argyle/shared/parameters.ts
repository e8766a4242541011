import type { IExecuteFunctions } from 'n8n-workflow';

import { ArgyleError } from '../transport/errors';
import { EXAMPLE_UUID, isUuid } from '../utils/uuid';

/** Infinity for Return All. Throws ArgyleError when Limit is no positive whole number. */
export function readLimit(context: IExecuteFunctions, itemIndex: number): number {
	if (context.getNodeParameter('returnAll', itemIndex, false) === true) return Infinity;
	return readPositiveInteger(
		context.getNodeParameter('limit', itemIndex),
		'Limit',
		'how many results you want, such as 50',
	);
}

/** From ISO text, a Date or a Luxon DateTime to ISO 8601 in UTC. Throws ArgyleError when it is no date. */
export function readDate(value: unknown, fieldName: string): string {
	const date = new Date(String(value));
	if (!Number.isNaN(date.getTime())) return date.toISOString();
	throw new ArgyleError(
		`${fieldName} is not a date`,
		'Enter a date such as 2026-11-01T00:00:00Z. Nothing was sent to Argyle.',
	);
}

/** `advice` completes "Enter …". Throws ArgyleError when the value is no positive whole number. */
export function readPositiveInteger(value: unknown, fieldName: string, advice: string): number {
	if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
	throw new ArgyleError(`${fieldName} is not a positive whole number`, `Enter ${advice}. Nothing was sent to Argyle.`);
}

/** Throws ArgyleError when the value is missing or no UUID, so that no request is made for nothing. */
export function readUuid(value: unknown, fieldName: string): string {
	const text = typeof value === 'string' ? value.trim() : value;
	if (isUuid(text)) return text;
	if (text === '' || text === undefined || text === null) {
		throw new ArgyleError(
			`${fieldName} is missing`,
			`Choose an entry in ${fieldName}, or give its ID. Nothing was sent to Argyle.`,
		);
	}
	throw new ArgyleError(
		`${fieldName} is not a valid ID`,
		`An ID at Argyle looks like ${EXAMPLE_UUID}. Nothing was sent to Argyle.`,
	);
}
