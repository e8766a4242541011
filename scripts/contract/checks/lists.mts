import { isJson, type Json } from '../../../test/support/json.mts';
import { type Check, checksThatNeed } from '../check.mts';
import { howToFill, pathOf, type Probe, recordsIn } from '../probe.mts';
import { Undecided } from '../undecided.mts';

const reading = checksThatNeed();

const PAGINATION = 'nodes/Argyle/api/pagination.ts';

const LISTS = ['/v2/gigs', '/v2/paystubs', '/v2/users', '/v2/webhooks'];

interface LinkedPage {
	next: URL;
	account: unknown;
	first: unknown;
}

/** What wraps the records of a reply. */
export function shapeOf(body: unknown): string {
	if (Array.isArray(body)) return 'nothing';
	if (!isJson(body) || !Array.isArray(body.results)) return 'something without results';
	return 'next' in body && 'previous' in body ? 'next, previous and results' : 'results alone';
}

/** The first of several pages of one account's records. Throws Undecided without an account that has several. */
async function linkedPage(probe: Probe): Promise<LinkedPage> {
	for (const path of ['/v2/gigs', '/v2/paystubs', '/v2/payroll-documents', '/v2/identities']) {
		const account = busiest(await probe.records(path));
		if (account === undefined) continue;
		const { body } = await probe.ask('GET', path, { query: { account, limit: '1' } });
		const next: unknown = isJson(body) ? body.next : undefined;
		const [first] = recordsIn(body) ?? [];
		if (typeof next === 'string' && URL.canParse(next)) return { next: new URL(next), account, first: first?.id };
	}
	throw new Undecided('No account has a list of two pages with one record each.', howToFill('/v2/paystubs'));
}

/** The account with the most records, if it has two. */
export function busiest(records: Json[]): string | undefined {
	const counts = new Map<string, number>();
	for (const { account } of records)
		if (typeof account === 'string') counts.set(account, (counts.get(account) ?? 0) + 1);
	const [most] = [...counts].sort(([, one], [, other]) => other - one);
	return most !== undefined && most[1] >= 2 ? most[0] : undefined;
}

export const LIST_CHECKS: Check[] = [
	reading('pageShape', [PAGINATION], async (probe) =>
		shapeOf((await probe.ask('GET', '/v2/users', { query: { limit: '1' } })).body),
	),
	reading('endOfList', [PAGINATION], async (probe) => {
		const { body } = await probe.ask('GET', '/v2/webhooks', { query: { limit: '200' } });
		const next: unknown = isJson(body) ? body.next : undefined;
		if (typeof next === 'string' && next !== '') throw new Undecided('There are more than 200 subscriptions.');
		return next === null ? 'null' : next === '' ? 'an empty text' : 'missing';
	}),
	reading('defaultLimit', [PAGINATION, 'nodes/Argyle/api/subscriptions.ts'], async (probe) => {
		for (const path of LISTS) {
			const count = (await probe.records(path)).length;
			if (count <= 10) continue;
			const { body } = await probe.ask('GET', path);
			// What has no link to a next page holds everything.
			if (isJson(body) && 'next' in body) return String(recordsIn(body)?.length);
		}
		throw new Undecided('No list with pages has more than ten records.', howToFill('/v2/paystubs'));
	}),
	reading('limitOver200', [PAGINATION], async (probe) => {
		const { status } = await probe.ask('GET', '/v2/webhooks', { query: { limit: '201' } });
		return status === 200 ? 'at most 200 records' : String(status);
	}),
	reading('nextLink', [PAGINATION], async (probe) => {
		const { next, account, first } = await linkedPage(probe);
		if (!next.searchParams.has('cursor')) return 'no cursor';
		const [second] = recordsIn((await probe.ask('GET', pathOf(next.href))).body) ?? [];
		if (second?.account !== account || second.id === first) return 'a link that forgets the filters';
		return [...next.searchParams.keys()].length === 1 ? 'a cursor alone' : 'a cursor and the filters';
	}),
	reading('hostOfNextLink', [PAGINATION, 'nodes/Argyle/transport/environment.ts'], async (probe) => {
		const { next } = await linkedPage(probe);
		if (next.origin === probe.target.origin) return 'the host that was asked';
		return next.hostname.endsWith('.argyle.com') ? "Argyle's own, whatever was asked" : 'a foreign host';
	}),
];
