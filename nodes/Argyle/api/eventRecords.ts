import type { IDataObject } from 'n8n-workflow';

import type { ArgyleClient } from '../transport/client';
import { ArgyleError, undefinedWhenNotFound, refused } from '../transport/errors';
import { clock, DAY_MS } from '../utils/clock';
import { isId } from '../utils/ids';
import { isDataObject } from '../utils/json';
import { getRecord, listOf } from './records';
import type { EventMessage } from './delivery';
import { type EventRule, ruleOf } from './eventRules';
import type { RecordType } from './recordTypes';
import { isWithinEdge } from './filters';
import { type ListRequest, listRecords, pagesOf } from './pagination';

/**
 * After this pause, a new record that was not found is asked for again. No source says whether a record can be read as
 * soon as its event arrives.
 */
const NEW_RECORD_PAUSE_MS = 3_000;

type Read = (client: ArgyleClient, limit: number) => Promise<IDataObject[]>;

/** The records that an event speaks of, which are all of one type. `read` resolves with at most `limit` of them. */
interface EventRecords {
	recordType: RecordType;
	read: Read;
}

function valueAt(data: IDataObject, path: string): unknown {
	return path.split('.').reduce<unknown>((value, field) => (isDataObject(value) ? value[field] : undefined), data);
}

function requiredId({ event, data }: EventMessage, field: string, one = field): string {
	const id = data[field];
	if (isId(id)) return id;
	throw refused(
		`The event ${event} names no ${one}`,
		'Connect this node to the Argyle Trigger without changing the item.',
	);
}

const timeOf = (value: unknown) => (typeof value === 'string' ? Date.parse(value) : NaN);

/** Returns the `count` newest records by one of their times, in the order in which they came. */
function newest(records: IDataObject[], timeIn: (record: IDataObject) => unknown, count: number): IDataObject[] {
	const age = (record: IDataObject) => -(timeOf(timeIn(record)) || 0);
	const chosen = new Set([...records].sort((one, other) => age(one) - age(other)).slice(0, count));
	return records.filter((record) => chosen.has(record));
}

/**
 * One end of the event's range, in milliseconds since 1970. If the record's field is a day, or if the event's value has
 * no time, this is the start or the end of that day.
 */
function edgeOf(value: unknown, kind: 'from' | 'to', isDay: boolean): number | undefined {
	const time = timeOf(value);
	if (Number.isNaN(time)) return undefined;
	if (!isDay && String(value).includes('T')) return time;
	const start = Math.floor(time / DAY_MS) * DAY_MS;
	return kind === 'from' ? start : start + DAY_MS - 1;
}

/** The list of the account's records in the event's range, both its ends included. */
function listInRange(message: EventMessage, recordType: RecordType, range: string): ListRequest {
	const account = requiredId(message, 'account');
	const query: IDataObject = { account };
	const tests: Array<(record: IDataObject) => boolean> = [];
	for (const filter of recordType.filters) {
		if (filter.kind !== 'from' && filter.kind !== 'to') continue;
		const { kind, isDay } = filter;
		const edge = edgeOf(message.data[`${range}_${kind}`], kind, isDay);
		if (edge === undefined) continue;
		query[filter.query] = new Date(edge).toISOString();
		tests.push((record) => isWithinEdge(filter, edge, record));
	}
	const accepts = (record: IDataObject) => tests.every((test) => test(record));
	return { ...listOf(recordType), query, accepts };
}

function readRange(message: EventMessage, { recordType, range, newestBy }: EventRule & { by: 'range' | 'list' }): Read {
	const list = listInRange(message, recordType, range);
	const count = message.data[`${range}_count`];
	if (newestBy === undefined || typeof count !== 'number') {
		return async (client, limit) => await listRecords(client, list, limit);
	}
	return async (client, limit) => {
		const records = await listRecords(client, list, Infinity);
		return newest(records, (record) => record[newestBy], count).slice(0, limit);
	};
}

/**
 * If there are several IDs, reads the list first, because a page has up to 200 records. Then reads one by one the
 * records that it did not bring.
 */
function readListed(message: EventMessage, recordType: RecordType, range: string, ids: string[]): Read {
	const list = listInRange(message, recordType, range);
	return async (client, limit) => {
		const missing = new Set(ids);
		const accepts = ({ id }: IDataObject) => missing.delete(String(id));
		const records: IDataObject[] = [];
		let pages = 0;
		if (missing.size > 1) {
			for await (const page of pagesOf(client, { ...list, accepts })) {
				records.push(...page);
				pages++;
				// From here on, reading one by one takes no more requests than the pages did.
				if (records.length >= limit || missing.size <= pages) break;
			}
		}
		for (const id of missing) {
			if (records.length >= limit) break;
			const record = await getRecord(client, recordType, id).catch(undefinedWhenNotFound);
			if (record !== undefined) records.push(record);
		}
		return records.slice(0, limit);
	};
}

/** The accounts that a report can be made of. Older documentation has them in `data` itself. */
function readAccounts(message: EventMessage, recordType: RecordType): Read {
	const user = requiredId(message, 'user');
	const named = valueAt(message.data, 'resource.accounts') ?? message.data.accounts;
	const ids = Array.isArray(named) ? named.map((each: unknown) => (isDataObject(each) ? each.id : each)) : [];
	const list = { ...listOf(recordType), query: { user } };
	const accepts = ids.length === 0 ? undefined : ({ id }: IDataObject) => ids.includes(id);
	return async (client, limit) => await listRecords(client, { ...list, accepts }, limit);
}

function readReport(message: EventMessage, { recordType, ids }: EventRule & { by: 'report' }): Read {
	const { data } = message;
	const id = ids.map((field) => valueAt(data, field)).find(isId);
	if (id !== undefined) return async (client) => [await getRecord(client, recordType, id)];
	const user = requiredId(message, 'user', recordType.one);
	const accepts = ({ status, type }: IDataObject) =>
		status === 'generated' && (data.type === undefined || type === data.type);
	return async (client) => {
		const reports = await listRecords(client, { ...listOf(recordType), query: { user }, accepts }, Infinity);
		// `generated_at` is Argyle's older name of the same time, which Argyle plans to remove.
		return newest(reports, ({ created_at: createdAt, generated_at: older }) => createdAt ?? older, 1);
	};
}

function readById(message: EventMessage, { ids }: EventRule & { by: 'id' }): EventRecords {
	const last = ids.length - 1;
	const { recordType, field } = ids.find((named) => isId(message.data[named.field])) ?? ids[last];
	const id = requiredId(message, field, recordType.one);
	const { user } = message.data;
	return {
		recordType,
		// A form's record does not name its user, but its event does.
		read: async (client) => [
			{ ...(field === 'user_form' && isId(user) && { user }), ...(await getRecord(client, recordType, id)) },
		],
	};
}

/** Throws ArgyleError when the event lacks what is needed to find its records. */
function recordsBy(rule: EventRule, message: EventMessage): EventRecords {
	const { event, data } = message;
	switch (rule.by) {
		case 'nothing':
			throw refused(`There is no record of the event ${event}`, rule.why);
		case 'id':
			return readById(message, rule);
		case 'report':
			return expecting(message, rule.recordType, readReport(message, rule));
		case 'accountsOfUser':
			return expecting(message, rule.recordType, readAccounts(message, rule.recordType));
		default: {
			const { recordType, range } = rule;
			const listed = rule.by === 'list' ? data[rule.ids] : undefined;
			const ids = Array.isArray(listed) ? listed.filter(isId) : undefined;
			// If there are no records, Argyle leaves the range empty.
			if (data[`${range}_count`] === 0 || ids?.length === 0) return { recordType, read: async () => [] };
			const read = ids === undefined ? readRange(message, rule) : readListed(message, recordType, range, ids);
			return expecting(message, recordType, read);
		}
	}
}

/** Fails if nothing is read. Otherwise the workflow would end silently. The reason is most often a wrong credential. */
function expecting({ event }: EventMessage, recordType: RecordType, read: Read): EventRecords {
	const readSome: Read = async (client, limit) => {
		const records = await read(client, limit);
		if (records.length > 0) return records;
		throw new ArgyleError(
			`Argyle has none of the ${recordType.many} that the event ${event} speaks of`,
			'They were removed since, or the credential is not for the account and environment that the event is from. Check the credential.',
			{ statusCode: 404 },
		);
	};
	return { recordType, read: readSome };
}

/** Throws ArgyleError when the event has no records, or does not name them. */
export function recordsOf(message: EventMessage): EventRecords {
	const { event } = message;
	const rule = ruleOf(event);
	if (rule === undefined) {
		throw refused(
			`The Argyle node does not know the event ${event}`,
			'It may be newer than this node: update n8n-nodes-argyle.',
		);
	}
	const { recordType, read } = recordsBy(rule, message);
	if (!/\.(added|submitted)$/.test(event)) return { recordType, read };
	return {
		recordType,
		read: async (client, limit) => {
			const records = await read(client, limit).catch(undefinedWhenNotFound);
			if (records !== undefined) return records;
			await clock.pause(NEW_RECORD_PAUSE_MS, client.signal);
			return await read(client, limit);
		},
	};
}
