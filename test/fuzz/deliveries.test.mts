import fc from 'fast-check';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';
import { sign } from '../support/fakeArgyle/signedEvent.mts';
import { fuzzRun, handTo } from './assault.mts';
import { attacks, HEADER, headerValues } from './attacks.mts';
import { heldMemory } from './memory.mts';

const MIB = 1024 * 1024;

/** n8n takes no larger body (N8N_PAYLOAD_SIZE_MAX). */
const LARGEST_BODY = 16 * MIB;

const trigger = useTriggerFixture();
let secret: string;
let since: number;
beforeEach(async () => {
	await trigger.activate();
	secret = String(trigger.state.secret);
	trigger.service.requests.length = 0;
	since = Date.now();
});

/** A question takes two requests at the most, and the trigger asks at most once in 5 s. */
const allowedRequests = () => 2 * (1 + (Date.now() - since) / 5_000);

it('refuses 100,000 fuzzed deliveries, with level memory and a service left in peace', async () => {
	await fuzzRun(trigger, secret, { attacks: attacks(secret), times: 10_000 });
	const early = heldMemory();
	await fuzzRun(trigger, secret, { attacks: attacks(secret), times: 90_000 });
	const late = heldMemory();
	process.stdout.write(
		`100,000 refused in ${Math.round((Date.now() - since) / 1_000)} s, ${trigger.service.requests.length} requests; held after 10,000: ${(early.heap / MIB).toFixed(1)} MiB, after 100,000: ${(late.heap / MIB).toFixed(1)} MiB\n`,
	);
	expect(late.heap - early.heap).toBeLessThan(16 * MIB);
	expect(late.buffers - early.buffers).toBeLessThan(16 * MIB);
	expect(trigger.service.requests.length).toBeLessThanOrEqual(allowedRequests());
	expect(trigger.ownSubscriptions()).toHaveLength(1);
}, 600_000);

it('takes none of 5,000 more with its static data lost, and asks the service seldom', async () => {
	trigger.staticData = {};
	// 503: the service was asked before this call came, and its subscription may have been replaced since.
	await fuzzRun(trigger, secret, { attacks: attacks(secret), times: 5_000, statuses: [401, 503] });
	expect(trigger.service.requests.length).toBeGreaterThan(0);
	expect(trigger.service.requests.length).toBeLessThanOrEqual(allowedRequests());
}, 120_000);

it('takes none of 2,000 while the service is down, and lets Argyle send again at the most', async () => {
	trigger.staticData = {};
	trigger.service.addFault({ kind: 'status', status: 500, times: 1_000 });
	await fc.assert(
		fc.asyncProperty(attacks(secret), async (attack) => {
			const { status, items } = await handTo(trigger, attack);
			expect({ items, isRefused: status === 401 || status === 503 }).toEqual({ items: undefined, isRefused: true });
		}),
		{ numRuns: 2_000 },
	);
	expect(trigger.service.requests.length).toBeGreaterThan(0);
	expect(trigger.service.requests.length).toBeLessThanOrEqual(allowedRequests());
}, 120_000);

it('takes nothing signed with what static data of any other form calls its secret', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.oneof(fc.constantFrom('', ' ', 'f'.repeat(63), 'F'.repeat(64), 'undefined', 'null'), fc.string()),
			fc.jsonValue(),
			async (planted, retired) => {
				trigger.staticData = {
					'node:Node': { secret: planted, retired: [{ secret: planted, until: 9e15 }, retired] },
				};
				const body = Buffer.from('{"event":"user_forms.submitted","data":{}}');
				const headers = { [HEADER]: sign(body, planted) };
				const { status, items } = await handTo(trigger, { headers, rawBody: body });
				// 503 where no secret is known and the service was asked before this call came.
				expect({ items, isRefused: [401, 503].includes(status) }).toEqual({ items: undefined, isRefused: true });
			},
		),
		{ numRuns: 2_000 },
	);
}, 120_000);

it('refuses bodies up to the largest that n8n takes', async () => {
	const sizes = fc.oneof(fc.constantFrom(0, 1, LARGEST_BODY - 1, LARGEST_BODY), fc.nat(LARGEST_BODY));
	await fc.assert(
		fc.asyncProperty(sizes, fc.nat(255), headerValues, async (size, fill, value) => {
			const body = Buffer.alloc(size, fill);
			const signed = sign(body, secret);
			const longer = Buffer.concat([body, Buffer.from(' ')]);
			for (const [rawBody, header] of [
				[body, value],
				[longer, signed],
				[body, sign(longer, secret)],
			]) {
				const answer = await handTo(trigger, { headers: { [HEADER]: header }, rawBody });
				expect(answer).toEqual({ status: 401, items: undefined });
			}
			// Genuine, but no event message.
			expect(await handTo(trigger, { headers: { [HEADER]: signed }, rawBody: body })).toMatchObject({
				status: 400,
			});
		}),
		{ numRuns: 20, endOnFailure: true },
	);
}, 120_000);
