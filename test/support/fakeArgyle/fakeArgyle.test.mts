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
