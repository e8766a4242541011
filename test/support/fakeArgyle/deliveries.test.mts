import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { until } from '../n8n/until.mts';
import { root } from '../paths.mts';
import { type FakeArgyle, startFakeArgyle } from './index.mts';
import { eventBody, sign } from './signedEvent.mts';
import { newSubscription } from './webhooks.mts';

const folder = join(root, 'test', 'support', 'fakeArgyle', 'fixtures');

let argyle: FakeArgyle;
let receiver: Server;
let received: Array<{ headers: Record<string, unknown>; body: Buffer }>;
let statuses: number[];
let isResponding: () => boolean;
let url: string;

beforeEach(async () => {
	argyle = await startFakeArgyle({ retryAfterMs: 10 });
	received = [];
	statuses = [];
	isResponding = () => true;
	receiver = createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(Buffer.from(chunk));
		received.push({ headers: request.headers, body: Buffer.concat(chunks) });
		// Before the wait, during which this test may end and the next one set its own.
		const status = statuses.shift() ?? 200;
		await until('the receiver responds', 5_000, async () => isResponding() || undefined);
		response.writeHead(status, { Location: '/elsewhere', 'Content-Encoding': 'gzip' }).end(gzipSync('received'));
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
	const address = receiver.address();
	url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterEach(async () => {
	jest.restoreAllMocks();
	receiver.close();
	await argyle.stop();
});

function subscribe(fields: Record<string, unknown> = {}) {
	const subscription = newSubscription({ name: 'Forms', url, events: ['user_forms.submitted'], ...fields });
	argyle.subscriptions.set(subscription.id, subscription);
	return subscription;
}

it.each(readdirSync(folder))('writes the body of the recorded delivery %s', (file) => {
	const text = readFileSync(join(folder, file), 'utf8');
	const { event, name, data } = JSON.parse(text);
	expect(file.startsWith(`${event}.`)).toBe(true);
	expect(eventBody(event, name, data)).toBe(text);
});

it('delivers signed bytes with the recorded headers and no others', async () => {
	const subscription = subscribe({ secret: 'key' });
	const { form, user, attempts } = await argyle.submitForm({ incomeSource: 'Bäckerei' });
	expect(attempts).toMatchObject([{ url, event: 'user_forms.submitted', status: 200, body: 'received' }]);
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
});

it('delivers only subscribed events, all at the same time, unsigned without a secret', async () => {
	subscribe();
	subscribe({ events: ['*'] });
	subscribe({ events: ['accounts.added'] });
	isResponding = () => received.length === 2;
	expect((await argyle.submitForm()).attempts.map(({ status }) => status)).toEqual([200, 200]);
	await argyle.deliver('items.updated', {});
	expect(received).toHaveLength(2);
	expect(received[0]?.headers).not.toHaveProperty('x-argyle-signature');
});

it.each([429, 500, 502, 503, 504])('retries a delivery once after %i', async (status) => {
	subscribe();
	statuses = [status, status, status];
	expect((await argyle.submitForm()).attempts).toHaveLength(2);
});

it('retries a delivery once after a time-out', async () => {
	subscribe();
	jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort());
	expect((await argyle.submitForm()).attempts.map(({ status }) => status)).toEqual([null, 200]);
});

it.each([201, 301, 400, 401, 404, 501])('does not retry a delivery after %i', async (status) => {
	subscribe();
	statuses = [status];
	expect((await argyle.submitForm()).attempts).toMatchObject([{ status }]);
	expect(received).toHaveLength(1);
});
