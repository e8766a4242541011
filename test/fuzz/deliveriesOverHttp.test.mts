import { Agent } from 'node:http';
import fc from 'fast-check';
import { formDelivery, useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';
import { deliveryBodies } from './arbitraries.mts';
import { encodeForHttp, type Encoding, type HttpDelivery, sendOverHttp, sendOverTcp } from './httpEncoding.mts';
import { forgedDeliveries, type ForgedDelivery, SIGNATURE_HEADER } from './signatureMutations.mts';

const trigger = useTriggerFixture();
const agent = new Agent({ keepAlive: true, maxSockets: 4 });
let secret: string;
let startedAt: number;
beforeEach(async () => {
	await trigger.activate();
	secret = String(trigger.ownSubscriptions()[0]?.secret);
	trigger.service.requests.length = 0;
	startedAt = Date.now();
});
afterAll(() => agent.destroy());

/** The trigger still accepts a genuine delivery, and has called Argyle at most once a minute. */
async function expectHealthy() {
	expect((await trigger.deliver(formDelivery)).items).toHaveLength(1);
	expect(trigger.service.requests.length).toBeLessThanOrEqual(1 + (Date.now() - startedAt) / 60_000);
}

/** Every character that HTTP allows in a header's value, also those beyond ASCII. */
const headerText = fc.string({
	unit: fc
		.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }))
		.map((code) => String.fromCharCode(code)),
	maxLength: 200,
});

/** Differences that exist only in HTTP: any allowed characters, repeated headers, a header longer than Node accepts. */
const unusualHeaders: fc.Arbitrary<ForgedDelivery> = fc
	.tuple(
		fc.oneof(headerText, fc.array(headerText, { maxLength: 4 }), fc.constantFrom('f'.repeat(20_000))),
		deliveryBodies,
	)
	.map(([value, rawBody]) => ({ kind: 'unusual header', headers: { [SIGNATURE_HEADER]: value }, rawBody }));

const encodings: fc.Arbitrary<Encoding> = fc.record({
	contentType: fc.constantFrom(
		undefined,
		'application/json',
		'text/plain; charset=iso-8859-1',
		'application/octet-stream',
		'multipart/form-data; boundary=x',
		'application/x-www-form-urlencoded',
	),
	compression: fc.constantFrom('none', 'none', 'none', 'gzip', 'corrupt'),
	chunks: fc.constantFrom(0, 0, 1, 2, 7),
});

const httpDeliveries = (): fc.Arbitrary<HttpDelivery> =>
	fc
		.tuple(
			fc.oneof({ arbitrary: forgedDeliveries(secret), weight: 4 }, { arbitrary: unusualHeaders, weight: 1 }),
			encodings,
		)
		.map(([delivery, encoding]) => encodeForHttp(delivery, encoding, secret))
		.filter((delivery) => delivery !== undefined);

/** 401 by the trigger; the others by Node or the body parser: malformed, too large, unknown encoding, long headers. */
const REFUSALS = [401, 400, 413, 415, 431];

it('refuses 4,000 forged deliveries over HTTP and still accepts a genuine one', async () => {
	let unauthorized = 0;
	await fc.assert(
		fc.asyncProperty(httpDeliveries(), async (delivery) => {
			const status = await sendOverHttp(trigger.receiver.origin, agent, delivery);
			if (status === 401) unauthorized++;
			expect(REFUSALS).toContain(status);
		}),
		{ numRuns: 4_000 },
	);
	expect(unauthorized).toBeGreaterThan(0);
	await expectHealthy();
}, 240_000);

it('accepts none of 1,000 requests with arbitrary header bytes, and still accepts a genuine delivery', async () => {
	const requests = fc
		.tuple(fc.uint8Array({ maxLength: 200 }), deliveryBodies)
		.map(([value, body]) =>
			Buffer.concat([
				Buffer.from('POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Argyle-Signature: '),
				value,
				Buffer.from(`\r\nContent-Length: ${body.length}\r\n\r\n`),
				body,
			]),
		);
	await fc.assert(
		fc.asyncProperty(fc.oneof(requests, deliveryBodies), async (bytes) => {
			expect(await sendOverTcp(trigger.receiver.origin, bytes)).not.toMatch(/HTTP\/1\.1 [25]/);
		}),
		{ numRuns: 1_000 },
	);
	await expectHealthy();
}, 120_000);
