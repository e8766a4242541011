import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';
import { sign } from '../support/fakeArgyle/signedEvent.mts';
import { createExchange, type IncomingCall } from '../support/n8nCore/exchange.mts';
import { formDelivery, useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';
import { signatureValues, triggerSecret } from './arbitraries.mts';
import { forgedDeliveries, SIGNATURE_HEADER } from './signatureMutations.mts';

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

const MIB = 1024 * 1024;

/** The default of n8n's N8N_PAYLOAD_SIZE_MAX. */
const LARGEST_BODY = 16 * MIB;

/** What the trigger refuses without a look at its signature is larger. */
const LARGEST_EVENT = 2 * MIB;

const GENUINE_EVERY = 500;

const trigger = useTriggerFixture();
let secret: string;
let startedAt: number;
beforeEach(async () => {
	await trigger.activate();
	secret = String(trigger.ownSubscriptions()[0]?.secret);
	trigger.service.requests.length = 0;
	startedAt = Date.now();
});

/** Runs `webhook()` without a socket. Rejects unless it answers exactly once. */
async function callWebhook(call: IncomingCall): Promise<{ status: number; items: INodeExecutionData[] | undefined }> {
	const { request, response, recorded } = createExchange(call);
	const { result } = await trigger.runWebhook(request, response);
	if (recorded.sent.length !== (result.noWebhookResponse === true ? 1 : 0))
		throw new Error('answered twice, or not at all');
	return { status: recorded.status, items: result.workflowData?.[0] ?? undefined };
}

/**
 * Sends forged deliveries, none of which may start the workflow or be answered with another status. In between, genuine
 * ones show that a delivery can be accepted at all.
 */
async function expectRefused(numRuns: number, statuses = [401]): Promise<void> {
	let calls = 0;
	await fc.assert(
		fc.asyncProperty(forgedDeliveries(secret), async (delivery) => {
			if (calls++ % GENUINE_EVERY === 0) {
				const headers = { [SIGNATURE_HEADER]: sign(formDelivery, secret) };
				const genuine = await callWebhook({ headers, rawBody: Buffer.from(formDelivery) });
				if (genuine.items?.length !== 1) throw new Error(`a genuine one: ${genuine.status}`);
				// Without a socket nothing else ends the turn, and the work that n8n's logger defers would pile up.
				await nextTurn();
			}
			const { status, items } = await callWebhook(delivery);
			if (items !== undefined || !statuses.includes(status)) throw new Error(`answered ${status}`);
		}),
		{ numRuns },
	);
}

/** The trigger asks for the secrets of its URL at most once a minute. */
function expectFewRequests(): void {
	expect(trigger.service.requests.length).toBeLessThanOrEqual(1 + (Date.now() - startedAt) / 60_000);
}

/** Bytes in use after a garbage collection, on the heap and in Buffers. */
function memoryInUse(): { heap: number; buffers: number } {
	if (typeof collectGarbage !== 'function') throw new Error('Node has no gc()');
	// Twice: the memory of a Buffer is freed in the collection after that of its object.
	collectGarbage();
	collectGarbage();
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return { heap: heapUsed, buffers: arrayBuffers };
}

it('refuses 25,000 forged deliveries without leaking memory or calling Argyle often', async () => {
	await expectRefused(5_000);
	const early = memoryInUse();
	await expectRefused(20_000);
	const late = memoryInUse();
	const [before, after] = [early.heap, late.heap].map((bytes) => `${(bytes / MIB).toFixed(1)} MiB`);
	process.stdout.write(`heap in use after 5,000 deliveries: ${before}, after 25,000: ${after}\n`);
	expect(late.heap - early.heap).toBeLessThan(4 * MIB);
	expect(late.buffers - early.buffers).toBeLessThan(4 * MIB);
	expectFewRequests();
	expect(trigger.ownSubscriptions()).toHaveLength(1);
}, 600_000);

it('refuses forged deliveries after a restart without static data, and calls Argyle seldom', async () => {
	trigger.staticData = {};
	trigger.restart();
	await expectRefused(5_000);
	expect(trigger.service.requests.length).toBeGreaterThan(0);
	expectFewRequests();
}, 120_000);

it('refuses forged deliveries and accepts genuine ones while Argyle is down', async () => {
	trigger.restart();
	trigger.service.addFault({ kind: 'status', status: 500, times: Infinity });
	// 503: the key may have been replaced, and Argyle can't be asked.
	await expectRefused(2_000, [401, 503]);
	expect(trigger.service.requests.length).toBeGreaterThan(0);
	expectFewRequests();
}, 120_000);

it('refuses deliveries signed with what was planted in its static data', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.oneof(triggerSecret, fc.constantFrom('', ' ', 'F'.repeat(64), 'undefined', 'null'), fc.string()),
			fc.jsonValue(),
			async (planted, retired) => {
				const registered = { id: planted, url: trigger.url };
				trigger.staticData = {
					'node:Node': { secret: planted, registered, retired: [{ secret: planted, until: 9e15 }, retired] },
				};
				const headers = { [SIGNATURE_HEADER]: sign(formDelivery, planted) };
				expect(await callWebhook({ headers, rawBody: Buffer.from(formDelivery) })).toEqual({ status: 401 });
			},
		),
		{ numRuns: 2_000 },
	);
}, 120_000);

it('refuses bodies of up to 16 MiB that are forged or no event message', async () => {
	const edges = [0, 1, LARGEST_EVENT - 1, LARGEST_EVENT, LARGEST_EVENT + 1, LARGEST_BODY];
	const sizes = fc.oneof(fc.constantFrom(...edges), fc.nat(LARGEST_EVENT), fc.nat(LARGEST_BODY));
	const statusOf = (body: Buffer, status: number) => (body.length > LARGEST_EVENT ? 413 : status);
	await fc.assert(
		fc.asyncProperty(sizes, fc.nat(255), signatureValues, async (size, fill, guessed) => {
			const body = Buffer.alloc(size, fill);
			const longer = Buffer.concat([body, Buffer.from(' ')]);
			const signature = sign(body, secret);
			const forgeries: Array<[rawBody: Buffer, value: unknown]> = [
				[body, guessed],
				[longer, signature],
				[body, sign(longer, secret)],
			];
			for (const [rawBody, value] of forgeries)
				expect(await callWebhook({ headers: { [SIGNATURE_HEADER]: value }, rawBody })).toEqual({
					status: statusOf(rawBody, 401),
				});
			const headers = { [SIGNATURE_HEADER]: signature };
			expect(await callWebhook({ headers, rawBody: body })).toMatchObject({ status: statusOf(body, 400) });
		}),
		{ numRuns: 20, endOnFailure: true },
	);
}, 120_000);
