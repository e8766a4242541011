import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { until } from '../n8n/until.mts';
import { root } from '../paths.mts';
import { assume, type Assumed } from './assumed.mts';
import { type FakeArgyle, startFakeArgyle } from './index.mts';
import { noteSending, shownLastSent } from './lastSent.mts';
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
	argyle = await startFakeArgyle({ retryAfterMs: 10, deliveryTimeoutMs: 1_000 });
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
	expect(`${event}.json`).toBe(file);
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

it.each<[string, Partial<Assumed>, number | null, number]>([
	['a minute after it', {}, 0, 60_000],
	['not within a minute', {}, null, 59_000],
	['never', { lastSentAtMoves: 'no' }, null, 3_600_000],
	['not after a failure', { lastSentAtOfFailures: 'no' }, null, 3_600_000],
	['as a minute later', { timeOfLastSent: 'a minute later' }, 60_000, 60_000],
	['late', { lastSentAtIsShown: 'later' }, null, 180_000],
	['in whole seconds', { precisionOfLastSent: 'whole seconds' }, -123, 60_000],
	['at any time', { lastSentAtStays: 'no' }, 5_000, 5_000],
])('a subscription to which a delivery failed shows that %s', (_, assumed, namedMs, laterMs) => {
	const at = Date.parse('2026-11-24T10:00:00.123Z');
	const subscription = newSubscription({ name: 'Forms', url, events: ['*'] });
	noteSending(subscription, false, { at, clockOffsetMs: 0, minuteMs: 60_000 }, assume(assumed));
	jest.spyOn(Date, 'now').mockReturnValue(at + laterMs);
	const shown = shownLastSent(subscription, assume(assumed));
	expect(shown === null ? null : Date.parse(shown) - at).toBe(namedMs);
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
	isResponding = () => received.length === 2;
	expect((await argyle.submitForm()).attempts.map(({ status }) => status)).toEqual([null, 200]);
});

it.each([201, 301, 400, 401, 404, 501])('does not retry a delivery after %i', async (status) => {
	subscribe();
	statuses = [status];
	expect((await argyle.submitForm()).attempts).toMatchObject([{ status }]);
	expect(received).toHaveLength(1);
});

it('does not retry a delivery whose connection was refused', async () => {
	subscribe();
	await new Promise((resolve) => receiver.close(resolve));
	expect((await argyle.submitForm()).attempts).toMatchObject([{ status: null }]);
});

it('cancels a retry that is due later when it stops', async () => {
	await argyle.stop();
	argyle = await startFakeArgyle({ retryAfterMs: 60_000 });
	subscribe();
	statuses = [503];
	const submitted = argyle.submitForm();
	await until('the first attempt', 5_000, async () => argyle.deliveries[0]).finally(async () => await argyle.stop());
	expect((await submitted).attempts).toMatchObject([{ status: 503 }]);
});
