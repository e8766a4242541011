import { type FakeArgyle, startFakeArgyle } from './index.mts';
import { RateLimit } from './rateLimit.mts';

let argyle: FakeArgyle;
beforeEach(async () => {
	argyle = await startFakeArgyle();
});
afterEach(async () => await argyle.stop());

async function get(path: string) {
	const response = await fetch(argyle.origin + path, {
		headers: { Authorization: `Basic ${btoa(`${argyle.key.id}:${argyle.key.secret}`)}` },
	});
	return { status: response.status, headers: response.headers, json: await response.json() };
}

it('responds 429 with Retry-After over the limit for all endpoints together', async () => {
	await argyle.stop();
	argyle = await startFakeArgyle({ requestsPerSecond: 1 });
	const paths = ['/v2/users', '/v2/webhooks', '/v2/user-forms'];
	const responses = await Promise.all(paths.map(async (path) => await get(path)));
	const limited = responses.find(({ status }) => status === 429);
	expect(limited?.json).toEqual({ detail: 'Too Many Requests' });
	expect(limited?.headers.get('retry-after')).toBe('1');
});

it('limits the rate in a sliding second', () => {
	const limit = new RateLimit(2);
	const allowed = [0, 600, 999, 1_000, 1_599, 1_600].filter((now) => limit.allows(now));
	expect(allowed).toEqual([0, 600, 1_000, 1_600]);
});

it.each([
	['accounts', 'ongoing_refresh_status', 'disabled', { ongoing_refresh: { status: 'disabled' } }],
	['verifications', 'status_state', 'CANCELLED', { status: { state: 'CANCELLED' } }],
	['verifications', 'report_type', 'voa', { report: { type: 'voa' } }],
	['verifications', 'loan_number', 'L-1', { loan: { number: 'L-1' } }],
	['user-uploads', 'document_type', 'W-2', { document_type: 'W-2' }],
] as const)('filters %s by %s', async (name, filter, value, fields) => {
	const [added] = argyle.addRecords(name, 1, fields);
	const { json } = await get(`/v2/${name}?${filter}=${value}`);
	expect(json.results).toMatchObject([{ id: added?.id }]);
});
