import { type FakeArgyle, startFakeArgyle } from './index.mts';
import { RateLimit } from './rateLimit.mts';

let argyle: FakeArgyle;
beforeEach(async () => {
	argyle = await startFakeArgyle();
});
afterEach(async () => await argyle.stop());

async function call(method: string, path: string, body?: unknown) {
	const response = await fetch(argyle.origin + path, {
		method,
		headers: { Authorization: `Basic ${btoa(`${argyle.key.id}:${argyle.key.secret}`)}` },
		body: JSON.stringify(body),
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

it('submits a form at its control route, in spite of faults', async () => {
	argyle.addFault({ kind: 'drop' });
	const submitted = await call('POST', '/stand-in/forms', { incomeSource: 'Taxi' });
	expect(argyle.userForms.get(submitted.json.form.id)).toMatchObject({ data: { income_source: 'Taxi' } });
});
