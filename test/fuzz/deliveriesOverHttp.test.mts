import fc from 'fast-check';
import { formDelivery, useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';
import { sign } from '../support/fakeArgyle/signedEvent.mts';
import { type Attack, attacks, bodies, HEADER } from './attacks.mts';
import { keptOpen, onWire, type Packing, send, sendRaw, type WireCall } from './httpEncoding.mts';

const trigger = useTriggerFixture();
let secret: string;
let since: number;
const agent = keptOpen();
beforeEach(async () => {
	await trigger.activate();
	secret = String(trigger.state.secret);
	trigger.service.requests.length = 0;
	since = Date.now();
});
afterAll(() => agent.destroy());

/** The receiver still works, and the service was left in peace. */
async function expectWell() {
	expect((await trigger.deliver(formDelivery)).items).toHaveLength(1);
	expect(trigger.service.requests.length).toBeLessThanOrEqual(2 * (1 + (Date.now() - since) / 5_000));
}

/** Every character that HTTP allows in a header's value, also those beyond ASCII. */
const headerText = fc.string({
	unit: fc
		.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }))
		.map((code) => String.fromCharCode(code)),
	maxLength: 200,
});

/** Headers that only the wire tells apart: any allowed bytes, several of one name, more than Node takes. */
const wireOnly: fc.Arbitrary<Attack> = fc
	.tuple(fc.oneof(headerText, fc.array(headerText, { maxLength: 4 }), fc.constantFrom('f'.repeat(20_000))), bodies)
	.map(([value, rawBody]) => ({ kind: 'any header bytes', headers: { [HEADER]: value }, rawBody }));

const packings: fc.Arbitrary<Packing> = fc.record({
	contentType: fc.constantFrom(
		undefined,
		'application/json',
		'text/plain; charset=iso-8859-1',
		'application/octet-stream',
		'multipart/form-data; boundary=x',
		'application/x-www-form-urlencoded',
	),
	encoding: fc.constantFrom('none', 'none', 'none', 'gzip', 'broken'),
	chunks: fc.constantFrom(0, 0, 1, 2, 7),
});

const wireCalls = (): fc.Arbitrary<WireCall> =>
	fc
		.tuple(fc.oneof({ arbitrary: attacks(secret), weight: 4 }, { arbitrary: wireOnly, weight: 1 }), packings)
		.map(([attack, packing]) => onWire(attack, packing, secret))
		.filter((call) => call !== undefined);

/** By the trigger 401; before it by Node or the body's reader: not readable, too large, unknown encoding, headers too large. */
const REFUSALS = [401, 400, 413, 415, 431];

it('refuses 4,000 fuzzed calls over HTTP, and goes on working', async () => {
	const seen = new Map<number, number>();
	await fc.assert(
		fc.asyncProperty(wireCalls(), async (call) => {
			const status = await send(trigger.receiver.origin, agent, call);
			seen.set(status, (seen.get(status) ?? 0) + 1);
			expect(REFUSALS).toContain(status);
		}),
		{ numRuns: 4_000 },
	);
	process.stdout.write(`Answers over HTTP: ${JSON.stringify([...seen])}\n`);
	expect(seen.get(401)).toBeGreaterThan(2_500);
	await expectWell();
}, 240_000);

it('refuses a genuine delivery whose signature comes in two headers, right one first or last', async () => {
	const right = sign(formDelivery, secret);
	for (const values of [
		[right, right],
		[right, '0'.repeat(128)],
		['0'.repeat(128), right],
		[right, ''],
	]) {
		const headers = values.flatMap((value) => ['X-Argyle-Signature', value]);
		const call = { kind: 'twice', headers, body: Buffer.from(formDelivery), chunks: 0 };
		expect(await send(trigger.receiver.origin, agent, call)).toBe(401);
	}
	const once = { kind: 'once', headers: ['X-Argyle-Signature', right], body: Buffer.from(formDelivery), chunks: 3 };
	expect(await send(trigger.receiver.origin, agent, once)).toBe(200);
});

it('survives 1,000 requests whose header holds any bytes at all, and takes none', async () => {
	const request = fc
		.tuple(fc.uint8Array({ maxLength: 200 }), bodies)
		.map(([value, content]) =>
			Buffer.concat([
				Buffer.from('POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Argyle-Signature: '),
				value,
				Buffer.from(`\r\nContent-Length: ${content.length}\r\n\r\n`),
				content,
			]),
		);
	await fc.assert(
		fc.asyncProperty(fc.oneof(request, bodies), async (bytes) => {
			expect(await sendRaw(trigger.receiver.origin, bytes)).not.toMatch(/HTTP\/1\.1 [25]/);
		}),
		{ numRuns: 1_000 },
	);
	await expectWell();
}, 120_000);
