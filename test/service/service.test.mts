import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { root } from '../paths.mts';
import { eventBody, sign } from './event.mts';
import { type Service, startService } from './index.mts';

let service: Service;
beforeEach(async () => {
	service = await startService({ retryAfterMs: 10, deliveryTimeoutMs: 200 });
});
afterEach(async () => await service.stop());

async function call(method: string, path: string, body?: unknown, key = service.key) {
	const response = await fetch(service.origin + path, {
		method,
		headers: { Authorization: `Basic ${btoa(`${key.id}:${key.secret}`)}`, 'Content-Type': 'application/json' },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, json: text.startsWith('{') ? JSON.parse(text) : undefined };
}

const subscription = { name: 'Forms', url: 'http://127.0.0.1:9/hook', events: ['user_forms.submitted'] };

describe('the stand-in as an API', () => {
	it('tells the two wrong keys apart', async () => {
		expect(await call('GET', '/v2/webhooks', undefined, { id: 'no', secret: 'no' })).toMatchObject({ status: 401, json: { detail: 'Invalid username/password.' } });
		expect(await call('GET', '/v2/webhooks', undefined, service.otherEnvironmentKey)).toMatchObject({ status: 401, json: { detail: 'Invalid environment.' } });
	});

	it('creates (201, nine fields, secret in clear), shows, and deletes once (204, then 404)', async () => {
		const made = await call('POST', '/v2/webhooks', { ...subscription, secret: 'clear' });
		expect(made.status).toBe(201);
		expect(Object.keys(made.json).sort()).toEqual(['config', 'created_at', 'events', 'id', 'last_sent_at', 'name', 'secret', 'updated_at', 'url']);
		expect(made.json.secret).toBe('clear');
		expect(made.headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
		expect((await call('GET', `/v2/webhooks/${made.json.id}`)).json).toEqual(made.json);
		expect(await call('DELETE', `/v2/webhooks/${made.json.id}`)).toMatchObject({ status: 204, text: '' });
		expect((await call('DELETE', `/v2/webhooks/${made.json.id}`)).status).toBe(404);
	});

	it('names the mistaken fields', async () => {
		const { status, json } = await call('POST', '/v2/webhooks', { events: ['nothing.known'], url: 'nowhere' });
		expect(status).toBe(400);
		expect(Object.keys(json).sort()).toEqual(['events', 'name', 'url']);
	});

	it('gives pages of ten with full links, the filters riding along', async () => {
		for (let index = 0; index < 25; index++) await call('POST', '/v2/webhooks', { ...subscription, name: `n${index}` });
		const first = await call('GET', '/v2/webhooks?ordering=-created_at');
		expect(first.json.results).toHaveLength(10);
		expect(first.json.previous).toBeNull();
		expect(first.json.next).toMatch(new RegExp(`^${service.origin}/v2/webhooks\\?cursor=`));
		const second = await call('GET', first.json.next.slice(service.origin.length));
		const third = await call('GET', second.json.next.slice(service.origin.length));
		expect(third.json.results).toHaveLength(5);
		expect(third.json.next).toBeNull();
		expect((await call('GET', '/v2/webhooks?limit=201')).status).toBe(400);
	});

	it('answers 429 with Retry-After over 50 requests in a second', async () => {
		const answers = await Promise.all(Array.from({ length: 60 }, async () => await call('GET', '/v2/users')));
		const refused = answers.filter(({ status }) => status === 429);
		expect(refused).toHaveLength(10);
		expect(refused[0]?.headers.get('retry-after')).toBe('1');
	});

	it('makes a PDF that a reader opens and that names the user; none in Sandbox', async () => {
		const [user] = service.users.keys();
		const { status, headers } = await call('POST', '/v2/receipts', { user });
		expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([200, 'application/pdf', 'attachment; filename="receipt.pdf"']);
		const bytes = await service.receiptPdf(user ?? '');
		expect(headers.get('content-length')).toBe(String(bytes.length));
		expect((await PDFDocument.load(bytes)).getTitle()).toBe(`Receipt for ${user}`);
		expect(await service.receiptPdf(user ?? '')).toEqual(bytes);

		const sandbox = await startService({ environment: 'sandbox' });
		const { key } = sandbox;
		const answer = await fetch(`${sandbox.origin}/v2/receipts`, { method: 'POST', body: JSON.stringify({ user }), headers: { Authorization: `Basic ${btoa(`${key.id}:${key.secret}`)}` } });
		expect(answer.status).toBe(400);
		await sandbox.stop();
	});

	it('shows ordered faults, each as often as ordered', async () => {
		service.addFault({ kind: 'status', status: 503, path: '/v2/users', times: 2 });
		service.addFault({ kind: 'html' });
		expect((await call('GET', '/v2/users')).status).toBe(503);
		expect(await call('GET', '/v2/webhooks')).toMatchObject({ status: 502, text: expect.stringContaining('<html>') });
		expect((await call('GET', '/v2/users')).status).toBe(503);
		expect((await call('GET', '/v2/users')).status).toBe(200);
	});

	it('can do the work and lose the answer', async () => {
		service.addFault({ kind: 'lost', method: 'POST' });
		await expect(call('POST', '/v2/webhooks', subscription)).rejects.toThrow();
		expect(service.subscriptions.size).toBe(1);
		service.addFault({ kind: 'drop', method: 'POST' });
		await expect(call('POST', '/v2/webhooks', subscription)).rejects.toThrow();
		expect(service.subscriptions.size).toBe(1);
	});
});

describe('the stand-in as a sender', () => {
	let receiver: Server;
	let received: Array<{ headers: Record<string, unknown>; body: Buffer }>;
	let statuses: number[];
	let url: string;

	beforeEach(async () => {
		received = [];
		statuses = [];
		receiver = createServer(async (request, response) => {
			const chunks: Buffer[] = [];
			for await (const chunk of request) chunks.push(Buffer.from(chunk));
			received.push({ headers: request.headers, body: Buffer.concat(chunks) });
			response.writeHead(statuses.shift() ?? 200, { Location: '/elsewhere' }).end();
		});
		await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
		const address = receiver.address();
		url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
	});
	afterEach(async () => await new Promise((resolve) => receiver.close(resolve)));

	it('signs the indented bytes and sends the recorded headers', async () => {
		await call('POST', '/v2/webhooks', { ...subscription, url, secret: 'key' });
		const { form, user, attempts } = await service.submitForm({ incomeSource: 'Bäckerei' });
		expect(attempts.map(({ status }) => status)).toEqual([200]);
		const body = eventBody('user_forms.submitted', 'Forms', { account: form.account, user, user_form: form.id });
		expect(received[0]?.body.toString()).toBe(body);
		expect(received[0]?.headers).toMatchObject({
			'content-type': 'application/json',
			'content-length': String(Buffer.byteLength(body)),
			'user-agent': 'ReactorNetty/1.1.28',
			'x-argyle-signature': sign(body, 'key'),
		});
		expect((await call('GET', `/v2/user-forms/${form.id}`)).json.data.income_source).toBe('Bäckerei');
		expect((await call('GET', `/v2/user-forms?user=${user}`)).json.results).toHaveLength(1);
	});

	it('sends no signature without a secret, and only what is subscribed', async () => {
		await call('POST', '/v2/webhooks', { ...subscription, url });
		await call('POST', '/v2/webhooks', { ...subscription, url, events: ['*'] });
		await call('POST', '/v2/webhooks', { ...subscription, url, events: ['accounts.added'] });
		await service.submitForm();
		await service.deliver('items.updated', {});
		expect(received).toHaveLength(2);
		expect(received[0]?.headers).not.toHaveProperty('x-argyle-signature');
	});

	it.each([429, 500, 502, 503, 504])('repeats once after %i', async (status) => {
		await call('POST', '/v2/webhooks', { ...subscription, url });
		statuses = [status, status, status];
		expect((await service.submitForm()).attempts).toHaveLength(2);
	});

	it.each([201, 301, 400, 401, 404, 501])('does not repeat after %i', async (status) => {
		await call('POST', '/v2/webhooks', { ...subscription, url });
		statuses = [status];
		expect((await service.submitForm()).attempts).toMatchObject([{ status }]);
	});

	it('does not repeat a refused connection', async () => {
		await call('POST', '/v2/webhooks', subscription);
		expect((await service.submitForm()).attempts).toMatchObject([{ status: null }]);
	});
});

describe('the recorded shapes', () => {
	const folder = join(root, 'test', 'service', 'fixtures');

	it('have the size of the recorded delivery: 183 bytes indented, 155 compact', () => {
		const bytes = readFileSync(join(folder, 'accounts.connected.json'));
		expect(bytes).toHaveLength(183);
		expect(Buffer.byteLength(JSON.stringify(JSON.parse(bytes.toString())))).toBe(155);
	});

	it.each(readdirSync(folder))('%s is what the stand-in would send', (file) => {
		const text = readFileSync(join(folder, file), 'utf8');
		const { event, name, data } = JSON.parse(text);
		expect(`${event}.json`).toBe(file);
		expect(eventBody(event, name, data)).toBe(text);
	});
});
