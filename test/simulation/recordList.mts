import { isJson } from '../support/json.mts';
import type { Random } from './random.mts';
import type { Timeline } from './timeline.mts';

export type Json = Record<string, unknown>;

/** A record of another kind than forms, as the service returns it. */
export interface StoredRecord extends Json {
	id: string;
	/** Milliseconds since 1970; written as a time where it is returned. */
	createdAt: number;
	/** From when on the list shows it. */
	listedAt: number;
}

/** How a list behaves where nothing public tells. */
export interface ListWays {
	order: 'newest first' | 'shuffled';
	/** What comes in between shifts the pages: a cursor is a place, not a row. */
	shifts: boolean;
	pageSize: number;
	/** How precise times are. */
	digits: 0 | 3 | 6;
}

/** A time as a list or a delivery writes it. */
export const timeText = (ms: number, digits: number) => {
	const text = new Date(ms).toISOString();
	return digits === 3 ? text : digits === 0 ? text.replace(/\.\d+/, '') : text.replace('Z', '407Z');
};

/** As the service writes it: each time in a field whose name ends with `At` is one in a field that ends with `_at`. */
export function written(value: unknown, digits: number): unknown {
	if (!isJson(value)) return value;
	const { listedAt: _, ...shown } = value;
	return Object.fromEntries(
		Object.entries(shown).map(([field, each]) =>
			field.endsWith('At') && typeof each === 'number'
				? [field.replace('At', '_at'), timeText(each, digits)]
				: [field, written(each, digits)],
		),
	);
}

/** The records of one kind of an account of Argyle's, and their list. */
export class RecordList {
	readonly all: StoredRecord[] = [];

	private readonly timeline: Timeline;

	private readonly random: Random;

	private readonly ways: ListWays;

	constructor(timeline: Timeline, random: Random, ways: ListWays) {
		this.timeline = timeline;
		this.random = random;
		this.ways = ways;
	}

	add(fields: Json, createdAt: number, lateMs: number): StoredRecord {
		const id = this.random.uuid();
		const record = { id, ...fields, createdAt, updatedAt: createdAt, listedAt: this.timeline.now + lateMs };
		this.all.push(record);
		return record;
	}

	/** Undefined while the list does not show it. */
	find(id: string): unknown {
		const found = this.listed().find((record) => record.id === id);
		return found && this.recordOf(found);
	}

	page(url: string, { limit, cursor }: Json, isWanted: (record: StoredRecord) => boolean): object {
		const listed = this.listed().filter(isWanted);
		const place = this.ways.shifts ? Number(cursor ?? 0) : listed.findIndex(({ id }) => id === cursor) + 1;
		const size = Math.min(Number(limit ?? 10), this.ways.pageSize);
		const results = listed.slice(place, place + size);
		const { origin, pathname, searchParams } = new URL(url);
		const last = results.at(-1);
		const isEnd = place + size >= listed.length || last === undefined;
		searchParams.set('cursor', this.ways.shifts ? String(place + size) : String(last?.id));
		searchParams.set('limit', String(size));
		const next = isEnd ? null : `${origin}${pathname}?${searchParams.toString()}`;
		return { next, results: results.map((record) => this.recordOf(record)) };
	}

	private listed(): StoredRecord[] {
		const { now } = this.timeline;
		const listed = this.all.filter(({ listedAt }) => listedAt <= now);
		if (this.ways.order === 'shuffled') return listed.sort((one, other) => (one.id < other.id ? -1 : 1));
		return listed.sort((one, other) => other.createdAt - one.createdAt || (one.id < other.id ? -1 : 1));
	}

	private recordOf(record: StoredRecord): unknown {
		return written(record, this.ways.digits);
	}
}
