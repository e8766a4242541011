import { isJson } from '../json.mts';
import { assume, type Assumed } from './assumed.mts';
import { type ApiResponse, invalidFields } from './response.mts';

type PageAssumptions = Pick<Assumed, 'defaultLimit' | 'endOfList' | 'hostOfNextLink' | 'limitOver200' | 'nextLink'>;

interface Position {
	/** The query of the first page, whose filters hold for all pages. */
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

/** Responds with one page of at most 200 records (10 by default), with the full URLs of its neighbours. */
export function paginate<Item>(
	url: URL,
	select: (query: URLSearchParams) => Item[],
	assumed: PageAssumptions = assume(),
	shown: (item: Item) => unknown = (item) => item,
): ApiResponse {
	const cursor = url.searchParams.get('cursor');
	const asked = Number(url.searchParams.get('limit') ?? assumed.defaultLimit);
	const first: Position = {
		query: url.search,
		offset: 0,
		limit: assumed.limitOver200 === '400' ? asked : Math.min(asked, 200),
	};
	const position = cursor === null ? first : decode(cursor);
	if (position === undefined) return invalidFields({ cursor: ['Invalid cursor.'] });
	const { query, offset, limit } = position;
	if (!Number.isInteger(limit) || limit < 1 || limit > 200)
		return invalidFields({ limit: ['Must be between 1 and 200.'] });
	const records = select(new URLSearchParams(query));
	const origin = assumed.hostOfNextLink === 'the host that was asked' ? url.origin : 'https://api.argyle.com';
	const filters = assumed.nextLink === 'a cursor alone' ? '' : `&${query.replace(/^\?/, '')}`;
	const link = (to: number) => `${origin}${url.pathname}?cursor=${encode({ query, offset: to, limit })}${filters}`;
	return {
		status: 200,
		body: {
			next: offset + limit < records.length ? link(offset + limit) : assumed.endOfList === 'null' ? null : '',
			previous: offset > 0 ? link(Math.max(0, offset - limit)) : null,
			results: records.slice(offset, offset + limit).map(shown),
		},
	};
}

/** Of a list that is behind. */
const LISTED_AFTER_MS = 500;

export const isListed = ({ created_at: createdAt }: object & { created_at?: unknown }, atOnce: 'yes' | 'no') =>
	atOnce === 'yes' || Date.parse(String(createdAt)) < Date.now() - LISTED_AFTER_MS;
