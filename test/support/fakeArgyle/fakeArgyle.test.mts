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
