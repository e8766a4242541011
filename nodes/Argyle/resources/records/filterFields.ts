import type { IDataObject, INodeProperties } from 'n8n-workflow';

import type { RecordType } from '../../api/recordTypes';
import { CREATED_AFTER, type DateFilter, EXTERNAL_ID, type Filter, isWithinEdge } from '../../api/filters';
import type { ListRequest } from '../../api/pagination';
import { readsBackTo } from '../../api/creationOrder';
import { readItemIds } from '../../shared/employerIds';
import { accountIdField, userIdField } from '../../shared/fields';
import { onlyOne, readChoice, readText, readTexts, readUuid } from '../../shared/parameters';
import { assertInOrder, readDate, readDay, readEndDate } from '../../shared/readDate';
import { unquoted } from '../../utils/coerce';
import { EXAMPLE_UUID } from '../../utils/ids';

/** One end of a range, from a date filter. `text` is in ISO 8601, and `time` in milliseconds since 1970. */
interface Edge {
	filter: DateFilter;
	text: string;
	time: number;
}

function inputOf(filter: Filter): Pick<INodeProperties, 'type' | 'default'> & Partial<INodeProperties> {
	switch (filter.kind) {
		case 'id':
			return { type: 'string', default: '', placeholder: `e.g. ${EXAMPLE_UUID}` };
		case 'user':
			return { ...userIdField, required: false };
		case 'account':
			return { ...accountIdField, required: false };
		case 'text':
		case 'item':
			return { type: 'string', default: '', placeholder: `e.g. ${filter.example}` };
		case 'options': {
			const options = Object.entries(filter.choices).map(([value, name]) => ({ name, value }));
			const [{ value }] = options;
			return {
				type: 'options',
				default: value,
				options: options.sort((one, other) => one.name.localeCompare(other.name)),
			};
		}
		default:
			return { type: 'dateTime', default: '', typeOptions: { dateOnly: filter.isDay } };
	}
}

export function filterFields({ filters }: Pick<RecordType, 'filters'>): INodeProperties[] {
	return filters.map((filter) => ({
		...inputOf(filter),
		displayName: filter.displayName,
		name: filter.name,
		description: [`Only those ${filter.meaning}`, filter.cost].filter(Boolean).join('. '),
	}));
}

const isDateFilter = (filter: Filter): filter is DateFilter => filter.kind === 'from' || filter.kind === 'to';

const holdsId = ({ kind }: Filter) => kind === 'account' || kind === 'id';

/**
 * Returns the end of a range in ISO 8601. A day has no time zone: a person in New York who enters the 13th means the
 * 13th, whichever day it is in UTC.
 */
function readEdge({ kind, displayName, isDay, includesDay }: DateFilter, value: unknown, timeZone: string): string {
	if (includesDay && !isDay) return readEndDate(value, displayName, timeZone);
	if (!isDay) return readDate(value, displayName, timeZone, kind);
	return `${readDay(value, displayName, timeZone)}T${kind === 'from' ? '00:00:00.000' : '23:59:59.999'}Z`;
}

function readQuery(filter: Exclude<Filter, DateFilter>, value: unknown): string {
	const { displayName } = filter;
	if (holdsId(filter)) return readUuid(value, displayName);
	if (filter.kind === 'item') return onlyOne(readItemIds(value, displayName), displayName);
	if (filter === EXTERNAL_ID) return String(value);
	if (filter.kind !== 'options') return unquoted(readText(value, displayName));
	return readChoice(onlyOne(readTexts(value, displayName), displayName), displayName, filter.choices);
}

/** Returns the query and the tests for the filters that an item has. `user` is returned as it was chosen. */
export function readFilters(
	{ filters }: Pick<RecordType, 'filters'>,
	values: IDataObject,
	timeZone: string,
): Pick<ListRequest, 'accepts' | 'endsWith'> & { query: IDataObject; user?: IDataObject[string] } {
	const query: IDataObject = {};
	let user: IDataObject[string];
	const edges: Edge[] = [];
	for (const filter of filters) {
		if (!(filter.name in values)) continue;
		const value = values[filter.name];
		if (isDateFilter(filter)) {
			const edge = readEdge(filter, value, timeZone);
			edges.push({ filter, text: edge, time: Date.parse(edge) });
			if (filter.query !== '') query[filter.query] = edge;
		} else if (filter.kind === 'user') user = value;
		else query[filter.query] = readQuery(filter, value);
	}
	const tests = edges.map(
		({ filter, time }) =>
			(record: IDataObject) =>
				isWithinEdge(filter, time, record),
	);
	// It is not known whether Argyle also finds records whose External ID only begins with this one.
	if (EXTERNAL_ID.query in query) tests.push((record) => String(record.external_id) === query[EXTERNAL_ID.query]);
	if (tests.length === 0) return { query, user };
	const to = edges.find(({ filter }) => filter.kind === 'to');
	const from = edges.find(({ filter }) => filter.kind === 'from' && filter.field === to?.filter.field);
	const created = edges.find(({ filter }) => filter.name === CREATED_AFTER.name);
	assertInOrder([from?.filter.displayName, from?.text], [to?.filter.displayName, to?.text]);
	return {
		query,
		user,
		accepts: (record) => tests.every((test) => test(record)),
		endsWith: created === undefined ? undefined : readsBackTo(created.time),
	};
}
