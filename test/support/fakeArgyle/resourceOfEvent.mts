import { isJson, type Json } from '../json.mts';
import type { Records } from './records.mts';
import { CONFIG_KEYS } from './eventNames.mts';

const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})Z$/;

/** In January 2026 times had microseconds in deliveries, and milliseconds where the same record was read. */
function withMicroseconds(value: unknown): unknown {
	if (typeof value === 'string') return value.replace(TIME, '$1407Z');
	if (!isJson(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, withMicroseconds(each)]));
}

function accountIn(records: Records, { account }: Json): Json | undefined {
	const record = records.of('accounts').get(String(account));
	if (record === undefined) return undefined;
	const { shifts: _, ...availability } = isJson(record.availability) ? record.availability : {};
	return { ...record, availability };
}

/** The record that goes along with an event where the subscription's `config` asks for it. */
export function resourceOf(records: Records, event: string, data: Json, config: Json): { resource?: unknown } {
	if (CONFIG_KEYS[event] !== 'include_resource' || config.include_resource !== true) return {};
	const isVerification = event === 'verifications.updated';
	const record = isVerification ? records.of('verifications').get(String(data.verification)) : accountIn(records, data);
	return record === undefined ? {} : { resource: withMicroseconds(record) };
}
