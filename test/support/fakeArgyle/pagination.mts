import { isJson } from '../json.mts';
import { type Answer, detail } from './response.mts';

interface Position {
	/** The filters of the first page, which ride along. */
	query: string;
	offset: number;
	limit: number;
}

const encode = (position: Position) => Buffer.from(JSON.stringify(position)).toString('base64url');

function decode(cursor: string): Position | undefined {
	try {
		const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
		if (!isJson(position)) return undefined;
		const { query, offset, limit } = position;
		return typeof query === 'string' && typeof offset === 'number' && typeof limit === 'number'
			? { query, offset, limit }
			: undefined;
	} catch {
		return undefined;
	}
}

/**
 * Takes the address of a list request and how its records are selected; answers one page: 10 records unless told, 200
 * at most, with full URLs to the pages beside it, whose cursor carries the filters.
 */
export function page(url: URL, select: (query: URLSearchParams) => unknown[]): Answer {
	const cursor = url.searchParams.get('cursor');
	const first: Position = { query: url.search, offset: 0, limit: Number(url.searchParams.get('limit') ?? 10) };
	const position = cursor === null ? first : decode(cursor);
	if (position === undefined) return { status: 400, body: { cursor: ['Invalid cursor.'] } };
	const { query, offset, limit } = position;
	if (!Number.isInteger(limit) || limit < 1 || limit > 200)
		return { status: 400, body: { limit: ['Must be between 1 and 200.'] } };
	const records = select(new URLSearchParams(query));
	const link = (to: number) => `${url.origin}${url.pathname}?cursor=${encode({ query, offset: to, limit })}`;
	return {
		status: 200,
		body: {
			next: offset + limit < records.length ? link(offset + limit) : null,
			previous: offset > 0 ? link(Math.max(0, offset - limit)) : null,
			results: records.slice(offset, offset + limit),
		},
	};
}

/** Answers one record, or 404. */
export function one(record: unknown): Answer {
	return record === undefined ? detail(404, 'Not found.') : { status: 200, body: record };
}
