import { call } from './call.mts';
import { type FakeArgyle, type FakeArgyleOptions, startFakeArgyle } from './index.mts';
import { textOf } from './pdfText.mts';
import { RateLimit } from './rateLimit.mts';
import { newSubscription } from './webhooks.mts';

let service: FakeArgyle;
const started: FakeArgyle[] = [];

/** Starts a service that is stopped after the test, however that ends. */
async function start(options?: FakeArgyleOptions): Promise<FakeArgyle> {
	const made = await startFakeArgyle(options);
	started.push(made);
	return made;
}

beforeEach(async () => {
	service = await start();
});
afterEach(async () => {
	await Promise.all(started.splice(0).map(async (made) => await made.stop()));
});

/** Puts a subscription into the store, made on the given day. */
function store(name: string, created_at = '2026-11-01T00:00:00.000Z') {
	const made = { ...newSubscription({ ...subscription, name }), created_at };
	service.subscriptions.set(made.id, made);
	return made;
}

const subscription = { name: 'Forms', url: 'http://127.0.0.1:9/hook', events: ['user_forms.submitted'] };

describe('the stand-in as an API', () => {
	it('tells no key, a wrong key and the key of the other environment', async () => {
		const unknown = { status: 401, json: { detail: 'Invalid username/password.' } };
		expect((await fetch(`${service.origin}/v2/webhooks`)).status).toBe(401);
		expect(await call(service, 'GET', '/v2/webhooks', undefined, { id: service.key.id, secret: 'no' })).toMatchObject(
			unknown,
		);
		expect(await call(service, 'GET', '/v2/webhooks', undefined, service.otherEnvironmentKey)).toMatchObject({
			status: 401,
			json: { detail: 'Invalid environment.' },
		});
	});

	it('refuses an unknown path, a wrong method and a body that is no JSON', async () => {
		expect(await call(service, 'GET', '/v2/nothing')).toMatchObject({ status: 404, json: { detail: 'Not found.' } });
		expect(await call(service, 'PUT', '/v2/webhooks')).toMatchObject({
			status: 405,
			json: { detail: 'Method "PUT" not allowed.' },
		});
		const headers = { Authorization: `Basic ${btoa(`${service.key.id}:${service.key.secret}`)}` };
		const answer = await fetch(`${service.origin}/v2/webhooks`, { method: 'POST', body: '{"name"', headers });
		expect([answer.status, await answer.json()]).toEqual([400, { detail: 'JSON parse error.' }]);
	});

	it('creates (201, nine fields, secret in clear), shows, and deletes once (204, then 404)', async () => {
		const made = await call(service, 'POST', '/v2/webhooks', { ...subscription, secret: 'clear' });
		expect(made.status).toBe(201);
		expect(Object.keys(made.json).sort()).toEqual([
			'config',
			'created_at',
			'events',
			'id',
			'last_sent_at',
			'name',
			'secret',
			'updated_at',
			'url',
		]);
		expect(made.json).toMatchObject({ ...subscription, secret: 'clear', config: {}, last_sent_at: null });
		expect(made.headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
		expect(made.headers.get('server')).toBe('cloudflare');
		expect((await call(service, 'GET', `/v2/webhooks/${made.json.id}`)).json).toEqual(made.json);
		expect(await call(service, 'DELETE', `/v2/webhooks/${made.json.id}`)).toMatchObject({ status: 204, text: '' });
		expect(await call(service, 'DELETE', `/v2/webhooks/${made.json.id}`)).toMatchObject({
			status: 404,
			json: { detail: 'Not found.' },
		});
	});

	it('names the mistaken fields', async () => {
		const { status, json } = await call(service, 'POST', '/v2/webhooks', { events: ['nothing.known'], url: 'nowhere' });
		expect(status).toBe(400);
		expect(Object.keys(json).sort()).toEqual(['events', 'name', 'url']);
	});

	it.each([
		[['*'], {}, 201],
		[['*', 'user_forms.submitted'], {}, 400],
		[['items.updated'], {}, 400],
		[['items.updated'], { items: Array.from({ length: 30 }, (_, index) => `item_${index}`) }, 201],
		[['items.updated'], { items: Array.from({ length: 31 }, (_, index) => `item_${index}`) }, 400],
	])('takes the events %j with their config as Argyle does (%#)', async (events, config, status) => {
		expect((await call(service, 'POST', '/v2/webhooks', { ...subscription, events, config })).status).toBe(status);
	});

	it('gives pages of ten with full links both ways, the filters riding along', async () => {
		const before = store('before', '2026-10-31T23:59:59.999Z');
		const wanted = Array.from({ length: 25 }, (_, index) => store(`n${index}`).id)
			.sort()
			.reverse();
		const first = await call(service, 'GET', '/v2/webhooks?ordering=-id&from_created_at=2026-11-01T00:00:00Z');
		const second = await call(service, 'GET', first.json.next);
		const third = await call(service, 'GET', second.json.next);
		const pages = [first, second, third].map(({ json }) => json.results.map(({ id }: { id: string }) => id));
		expect(pages.map(({ length }) => length)).toEqual([10, 10, 5]);
		expect(pages.flat()).toEqual(wanted);
		expect(first.json.next).toMatch(new RegExp(`^${service.origin}/v2/webhooks\\?cursor=[\\w-]+$`));
		expect([first.json.previous, third.json.next]).toEqual([null, null]);
		expect((await call(service, 'GET', third.json.previous)).json.results).toEqual(second.json.results);

		const [oldest] = (await call(service, 'GET', '/v2/webhooks?ordering=created_at&limit=1')).json.results;
		expect(oldest.id).toBe(before.id);
		// The same instant with another offset.
		expect(
			(await call(service, 'GET', `/v2/webhooks?to_created_at=${encodeURIComponent('2026-11-01T00:59:59.999+01:00')}`))
				.json.results,
		).toHaveLength(1);
		expect((await call(service, 'GET', '/v2/webhooks?limit=200')).json.results).toHaveLength(26);
		for (const query of ['limit=201', 'limit=0', 'cursor=no', 'from_created_at=no'])
			expect((await call(service, 'GET', `/v2/webhooks?${query}`)).status).toBe(400);
	});

	it('finds users by the exact external id and forms by user and account', async () => {
		expect((await call(service, 'GET', '/v2/users?external_id=crm-1001')).json.results).toMatchObject([
			{ first_name: 'Bob' },
		]);
		expect((await call(service, 'GET', '/v2/users?external_id=crm')).json.results).toEqual([]);
		const [form] = service.userForms.values();
		const record = (await call(service, 'GET', `/v2/user-forms/${form?.id}`)).json;
		expect(Object.keys(record).sort()).toEqual(['account', 'created_at', 'data', 'id', 'updated_at']);
		expect((await call(service, 'GET', `/v2/user-forms?user=${form?.user}`)).json.results).toEqual([record]);
		expect((await call(service, 'GET', `/v2/user-forms?account=${form?.account}`)).json.results).toEqual([record]);
		expect((await call(service, 'GET', '/v2/user-forms?account=none')).json.results).toEqual([]);
	});

	it('answers 429 with Retry-After over the limit, over all endpoints', async () => {
		const limited = await start({ requestsPerSecond: 1 });
		const answers = await Promise.all(
			['/v2/users', '/v2/webhooks', '/v2/user-forms'].map(async (path) => await call(limited, 'GET', path)),
		);
		const refused = answers.find(({ status }) => status === 429);
		expect(refused?.json).toEqual({ detail: 'Too Many Requests' });
		expect(refused?.headers.get('retry-after')).toBe('1');
	});

	it('limits in a sliding second', () => {
		const limit = new RateLimit(2);
		expect([0, 600, 999, 1_000, 1_599, 1_600].map((now) => limit.allows(now))).toEqual([
			true,
			true,
			false,
			true,
			false,
			true,
		]);
	});

	it('makes a PDF that a reader opens and that names the user', async () => {
		const [bob, bare] = [...service.users.keys()];
		const { status, headers } = await call(service, 'POST', '/v2/receipts', { user: bob });
		expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
			200,
			'application/pdf',
			'attachment; filename="receipt.pdf"',
		]);
		const bytes = await service.receiptPdf(bob ?? '');
		expect(headers.get('content-length')).toBe(String(bytes.length));
		expect(await service.receiptPdf(bob ?? '')).toEqual(bytes);
		const text = await textOf(bytes);
		expect(text).toContain(`User: Bob Jones\nUser ID: ${bob}\n`);
		expect(text).toContain('Account connection');
		expect(await textOf(await service.receiptPdf(bare ?? ''))).toContain(`User ID: ${bare}`);
	});

	it('makes no receipt for an unknown user, a malformed id, or in Sandbox', async () => {
		expect(await call(service, 'POST', '/v2/receipts', { user: '0190a1b2-4c5d-7e8f-9a0b-6b5a4f3e2d1c' })).toMatchObject(
			{
				status: 404,
				json: { detail: 'Not found.' },
			},
		);
		expect(await call(service, 'POST', '/v2/receipts', { user: 'bob' })).toMatchObject({
			status: 400,
			json: { user: ['Must be a valid UUID.'] },
		});
		const sandbox = await start({ environment: 'sandbox' });
		const answer = await call(sandbox, 'POST', '/v2/receipts', { user: [...sandbox.users.keys()][0] });
		expect(answer).toMatchObject({ status: 400, json: { detail: 'Billing is not supported in Sandbox.' } });
	});
});
