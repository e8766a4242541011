import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { until } from '../n8n/until.mts';
import { root } from '../paths.mts';
import { eventBody, sign } from './signedEvent.mts';
import { type FakeArgyle, startFakeArgyle } from './index.mts';
import { newSubscription } from './webhooks.mts';

let service: FakeArgyle;
beforeEach(async () => {
	service = await startFakeArgyle({ retryAfterMs: 10, deliveryTimeoutMs: 1_000 });
});
afterEach(async () => await service.stop());

describe('the stand-in as a sender', () => {
	let receiver: Server;
	let received: Array<{ headers: Record<string, unknown>; body: Buffer }>;
	let statuses: number[];
	let url: string;
	let answerWhen: () => boolean;

	beforeEach(async () => {
		received = [];
		statuses = [];
		answerWhen = () => true;
		receiver = createServer(async (request, response) => {
			const chunks: Buffer[] = [];
			for await (const chunk of request) chunks.push(Buffer.from(chunk));
			received.push({ headers: request.headers, body: Buffer.concat(chunks) });
			// Taken now: a handler that its sender has given up must not take a later test's.
			const status = statuses.shift() ?? 200;
			await until('the answer is due', 5_000, async () => answerWhen() || undefined);
			response.writeHead(status, { Location: '/elsewhere', 'Content-Encoding': 'gzip' }).end(gzipSync('taken'));
		});
		await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
		const address = receiver.address();
		url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
	});
	afterEach(() => receiver.close());

	/** Puts a subscription for the receiver into the store. */
	function subscribe(fields: Record<string, unknown> = {}) {
		const made = newSubscription({ name: 'Forms', url, events: ['user_forms.submitted'], ...fields });
		service.subscriptions.set(made.id, made);
		return made;
	}

	it('signs the indented bytes and sends the recorded headers and no others', async () => {
		const subscription = subscribe({ secret: 'key' });
		const { form, user, attempts } = await service.submitForm({ incomeSource: 'Bäckerei' });
		expect(attempts).toMatchObject([
			{ subscriptionId: subscription.id, url, event: 'user_forms.submitted', status: 200, body: 'taken' },
		]);
		const body = eventBody('user_forms.submitted', 'Forms', { account: form.account, user, user_form: form.id });
		expect(received[0]?.body.toString()).toBe(body);
		expect(received[0]?.headers).toEqual({
			accept: '*/*',
			'accept-encoding': 'gzip',
			'content-length': String(Buffer.byteLength(body)),
			'content-type': 'application/json',
			host: new URL(url).host,
			'user-agent': 'ReactorNetty/1.1.28',
			'x-argyle-signature': sign(body, 'key'),
		});
		expect(subscription.last_sent_at).not.toBeNull();
		expect(subscription.updated_at).toBe(subscription.last_sent_at);
	});

	it('signs with HMAC-SHA512 in lower-case hex', () => {
		// RFC 4231, test case 2.
		expect(sign('what do ya want for nothing?', 'Jefe')).toBe(
			'164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
		);
	});

	it('sends no signature without a secret, and only what is subscribed', async () => {
		subscribe();
		subscribe({ events: ['*'] });
		subscribe({ events: ['accounts.added'] });
		await service.submitForm();
		await service.deliver('items.updated', {});
		expect(received).toHaveLength(2);
		expect(received[0]?.headers).not.toHaveProperty('x-argyle-signature');
	});

	it('sends to all subscriptions at the same time', async () => {
		subscribe();
		subscribe();
		answerWhen = () => received.length === 2;
		expect((await service.submitForm()).attempts.map(({ status }) => status)).toEqual([200, 200]);
	});

	it.each([429, 500, 502, 503, 504])('repeats once after %i', async (status) => {
		subscribe();
		statuses = [status, status, status];
		expect((await service.submitForm()).attempts).toHaveLength(2);
	});

	it('repeats once when no answer comes in time', async () => {
		subscribe();
		answerWhen = () => received.length === 2;
		// The first delivery is given up before the second sets both free.
		expect((await service.submitForm()).attempts.map(({ status }) => status)).toEqual([null, 200]);
	});

	it.each([201, 301, 400, 401, 404, 501])('does not repeat after %i', async (status) => {
		subscribe();
		statuses = [status];
		expect((await service.submitForm()).attempts).toMatchObject([{ status }]);
		expect(received).toHaveLength(1);
	});

	it('does not repeat a refused connection', async () => {
		subscribe();
		await new Promise((resolve) => receiver.close(resolve));
		expect((await service.submitForm()).attempts).toMatchObject([{ status: null }]);
	});

	it('drops a waiting repeat when it stops', async () => {
		const patient = await startFakeArgyle({ retryAfterMs: 60_000 });
		const made = subscribe();
		patient.subscriptions.set(made.id, made);
		statuses = [503];
		const submitted = patient.submitForm();
		await until('the first attempt is made', 5_000, async () => patient.deliveries[0]).finally(
			async () => await patient.stop(),
		);
		expect((await submitted).attempts).toMatchObject([{ status: 503 }]);
	});
});

describe('the recorded shapes', () => {
	const folder = join(root, 'test', 'support', 'fakeArgyle', 'fixtures');

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
