import { type FakeArgyle, startFakeArgyle } from './index.mts';
import { RateLimit } from './rateLimit.mts';
import { newSubscription } from './webhooks.mts';

let argyle: FakeArgyle;
beforeEach(async () => {
	argyle = await startFakeArgyle();
});
afterEach(async () => await argyle.stop());

const subscription = { name: 'Forms', url: 'http://127.0.0.1:9/hook', events: ['user_forms.submitted'] };

async function call(method: string, pathOrUrl: string, body?: unknown, timeoutMs = 5_000) {
	const response = await fetch(new URL(pathOrUrl, argyle.origin), {
		method,
		headers: { Authorization: `Basic ${btoa(`${argyle.key.id}:${argyle.key.secret}`)}` },
		body: JSON.stringify(body),
		signal: AbortSignal.timeout(timeoutMs),
	});
	return { status: response.status, headers: response.headers, json: JSON.parse((await response.text()) || 'null') };
}

it('serves pages of ten whose cursors keep the filters', async () => {
	const expected = Array.from({ length: 25 }, () => newSubscription(subscription));
	const excluded = { ...newSubscription(subscription), created_at: '2026-01-01T00:00:00.000Z' };
	for (const created of [excluded, ...expected]) argyle.subscriptions.set(created.id, created);

	const first = await call('GET', '/v2/webhooks?ordering=-id&from_created_at=2026-02-01T00:00:00Z');
	const second = await call('GET', first.json.next);
	const third = await call('GET', second.json.next);
	const pages = [first, second, third].map(({ json }) => json.results.map(({ id }: { id: string }) => id));
	expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
	expect(pages.flat()).toEqual(
		expected
			.map(({ id }) => id)
			.sort()
			.reverse(),
	);
	expect(first.json.next).toMatch(new RegExp(`^${argyle.origin}/v2/webhooks\\?cursor=[\\w-]+$`));
	expect([first.json.previous, third.json.next]).toEqual([null, null]);
	expect((await call('GET', third.json.previous)).json.results).toEqual(second.json.results);
});

it('responds 429 with Retry-After over the limit for all endpoints together', async () => {
	await argyle.stop();
	argyle = await startFakeArgyle({ requestsPerSecond: 1 });
	const paths = ['/v2/users', '/v2/webhooks', '/v2/user-forms'];
	const responses = await Promise.all(paths.map(async (path) => await call('GET', path)));
	const limited = responses.find(({ status }) => status === 429);
	expect(limited?.json).toEqual({ detail: 'Too Many Requests' });
	expect(limited?.headers.get('retry-after')).toBe('1');
});

it('limits the rate in a sliding second', () => {
	const limit = new RateLimit(2);
	const allowed = [0, 600, 999, 1_000, 1_599, 1_600].filter((now) => limit.allows(now));
	expect(allowed).toEqual([0, 600, 1_000, 1_600]);
});

it('submits a form and lists subscriptions without secrets at its control routes, in spite of faults', async () => {
	argyle.addFault({ kind: 'drop' });
	const submitted = await call('POST', '/stand-in/forms', { incomeSource: 'Taxi' });
	expect(argyle.userForms.get(submitted.json.form.id)).toMatchObject({ data: { income_source: 'Taxi' } });
	const created = newSubscription({ ...subscription, secret: 'clear' });
	argyle.subscriptions.set(created.id, created);
	const [listed] = (await call('GET', '/stand-in/subscriptions')).json;
	expect(listed).toMatchObject({ id: created.id, has_secret: true });
	expect(listed).not.toHaveProperty('secret');
});
