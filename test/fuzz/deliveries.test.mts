import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';
import { sign } from '../support/fakeArgyle/signedEvent.mts';
import { createExchange, type IncomingCall } from '../support/n8nCore/exchange.mts';
import { formDelivery, useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';
import { forgedDeliveries, SIGNATURE_HEADER } from './signatureMutations.mts';

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

const MIB = 1024 * 1024;

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

/** The trigger asks for the secrets of its URL at most once a minute, and after a failure every five seconds. */
function expectFewRequests(everyMs = 60_000): void {
	expect(trigger.service.requests.length).toBeLessThanOrEqual(1 + (Date.now() - startedAt) / everyMs);
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
	expectFewRequests(5_000);
}, 120_000);
