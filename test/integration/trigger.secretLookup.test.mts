import { hkdfSync, randomUUID } from 'node:crypto';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';
import { loadTriggerNode } from '../support/n8nCore/loadTriggerNode.mts';
import { formDelivery, useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const OTHER_SECRET = 'f'.repeat(64);

const trigger = useTriggerFixture();
let secret: unknown;

beforeEach(async () => {
	await trigger.activate();
	secret = trigger.ownSubscriptions()[0]?.secret;
	trigger.service.requests.length = 0;
});

/** Stops the clock this much later. */
const advanceClock = (ms: number) => jest.spyOn(Date, 'now').mockReturnValue(Date.now() + ms);

/** Each delivery is another form. */
async function statusOf(signedWith: unknown): Promise<number> {
	const data = { account: randomUUID(), user: randomUUID(), user_form: randomUUID() };
	return (await trigger.deliver(eventBody('user_forms.submitted', 'Forms', data), { secret: signedWith })).status;
}

/** The API key is replaced, at Argyle and in the credential. The subscription has the secret of the old one. */
function replaceKey(): void {
	trigger.service.key = { id: trigger.service.key.id, secret: randomUUID() };
	trigger.credential = { ...trigger.credential, apiKeySecret: trigger.service.key.secret };
}

/** n8n asks for a credential whenever it is needed, and may fail to. */
function loseCredential(): void {
	const toJSON = () => {
		throw new Error('no such credential');
	};
	trigger.credential = { ...trigger.credential, toJSON };
}

describe('secret of the trigger', () => {
	it('every process derives the same secret, which differs by URL and by key', async () => {
		const again = async () => {
			await trigger.runHook('create');
			return trigger.ownSubscriptions()[0]?.secret;
		};
		expect(secret).toMatch(/^[0-9a-f]{64}$/);
		trigger.restart();
		expect(await again()).toBe(secret);
		trigger.webhookBase = `https://${randomUUID()}.example.com/webhook`;
		const atOtherUrl = await again();
		replaceKey();
		const withOtherKey = await again();
		expect(new Set([secret, atOtherUrl, withOtherKey]).size).toBe(3);
	});

	it('static data holds neither the secret nor the key, whatever happened', async () => {
		await trigger.runExecute((await trigger.deliver(formDelivery)).items ?? []);
		await trigger.runHook('delete');
		await trigger.activate();
		const stored = JSON.stringify(trigger.staticData);
		expect(stored).toContain(String(trigger.ownSubscriptions()[0]?.id));
		for (const hidden of [secret, trigger.service.key.secret, trigger.service.key.id])
			expect(stored).not.toContain(String(hidden));
	});

	it('a process that never ran a hook verifies deliveries without a request, also many at once', async () => {
		trigger.staticData = {};
		trigger.restart();
		const statuses = await Promise.all(Array.from({ length: 20 }, async () => await statusOf(secret)));
		expect(new Set(statuses)).toEqual(new Set([200]));
		expect(trigger.service.requests).toHaveLength(0);
	});

	it('a secret that was planted in static data is not accepted', async () => {
		trigger.staticData = { 'node:Node': { secret: OTHER_SECRET, retired: [{ secret: OTHER_SECRET, until: 9e15 }] } };
		trigger.restart();
		expect(await statusOf(OTHER_SECRET)).toBe(401);
		await trigger.activate();
		expect(await statusOf(OTHER_SECRET)).toBe(401);
		expect(JSON.stringify(trigger.staticData)).not.toContain(OTHER_SECRET);
	});

	it.each(['', ' ', undefined, null, 'undefined', 'null', {}])(
		'no delivery is accepted with what anybody could derive from a credential whose secret is %p',
		async (apiKeySecret) => {
			trigger.credential = { ...trigger.credential, apiKeySecret };
			trigger.restart();
			const info = `n8n-nodes-argyle webhook ${trigger.url}`;
			const guessed = Buffer.from(hkdfSync('sha256', String(apiKeySecret).trim(), '', info, 32)).toString('hex');
			expect(await statusOf(guessed)).toBe(503);
			expect(trigger.ownSubscriptions()).toHaveLength(1);
		},
	);
});

describe('delivery that the derived secret did not sign', () => {
	it('deliveries with the secret of a replaced key are accepted after one request, until two minutes after a publish', async () => {
		replaceKey();
		trigger.restart();
		advanceClock(0);
		const statuses = await Promise.all(Array.from({ length: 100 }, async () => await statusOf(secret)));
		expect(new Set(statuses)).toEqual(new Set([200]));
		expect(trigger.service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v2/webhooks']);
		await trigger.activate();
		expect(trigger.ownSubscriptions()[0]?.secret).not.toBe(secret);
		advanceClock(119_000);
		expect(await statusOf(secret)).toBe(200);
		advanceClock(2_000);
		expect(await statusOf(secret)).toBe(401);
		expect(await statusOf(trigger.ownSubscriptions()[0]?.secret)).toBe(200);
	});

	it('a delivery is accepted when the secret was changed by hand at Argyle to another of that form', async () => {
		for (const subscription of trigger.allSubscriptions()) subscription.secret = OTHER_SECRET;
		expect(await statusOf(OTHER_SECRET)).toBe(200);
		expect(trigger.service.requests).toHaveLength(1);
	});

	it.each(['', 'short', 'F'.repeat(64), 'a'.repeat(65), `x${'a'.repeat(64)}`, null])(
		'the secret %p at Argyle is never accepted',
		async (changed) => {
			for (const subscription of trigger.service.subscriptions.values()) subscription.secret = changed;
			expect(await statusOf(changed ?? '')).toBe(401);
		},
	);

	it('the secret of a subscription to another URL is not accepted', async () => {
		trigger.foreignSubscription({ secret: OTHER_SECRET });
		trigger.foreignSubscription({ secret: OTHER_SECRET, url: `${trigger.url}/` });
		expect(await statusOf(OTHER_SECRET)).toBe(401);
	});

	it('at most five secrets are tried for a call', async () => {
		const secrets = Array.from({ length: 7 }, (_, index) => String(index).repeat(64));
		const created_at = '2020-01-01T00:00:00.000Z';
		for (const each of secrets) trigger.foreignSubscription({ url: trigger.url, secret: each, created_at });
		const statuses = [];
		for (const each of secrets) statuses.push(await statusOf(each));
		expect(statuses.filter((status) => status === 200)).toHaveLength(4);
		expect(await statusOf(secret)).toBe(200);
		expect(trigger.service.requests).toHaveLength(1);
	});

	it('calls that share a question that fails write one warning', async () => {
		expect(await statusOf(secret)).toBe(200);
		advanceClock(2_000);
		loseCredential();
		const statuses = await Promise.all(Array.from({ length: 20 }, async () => await statusOf(OTHER_SECRET)));
		expect(new Set(statuses)).toEqual(new Set([503]));
		expect(trigger.warnings).toEqual([expect.stringContaining('could not find out which secret')]);
	});

	it('forged calls cause one request a minute, malformed signatures none', async () => {
		const malformed = async () =>
			await trigger.receiver.call(formDelivery, { headers: { 'X-Argyle-Signature': 'short' } });
		advanceClock(0);
		for (let index = 0; index < 50; index++) {
			expect(await statusOf(index.toString(16).padStart(64, '0'))).toBe(401);
			expect((await malformed()).status).toBe(401);
		}
		expect(trigger.service.requests).toHaveLength(1);
		advanceClock(59_000);
		expect(await statusOf(OTHER_SECRET)).toBe(401);
		expect(trigger.service.requests).toHaveLength(1);
		advanceClock(1_000);
		await malformed();
		expect(trigger.service.requests).toHaveLength(1);
		expect(await statusOf(OTHER_SECRET)).toBe(401);
		expect(trigger.service.requests).toHaveLength(2);
	});

	it('a delivery is answered 503 while Argyle cannot be asked, and its repeat is accepted later', async () => {
		replaceKey();
		trigger.restart();
		trigger.service.addFault({ kind: 'status', status: 500, times: Infinity });
		expect(await statusOf(secret)).toBe(503);
		expect(await statusOf(secret)).toBe(503);
		expect(trigger.service.requests).toHaveLength(1);
		expect(trigger.warnings).toEqual([expect.stringContaining('could not find out which secret')]);
		trigger.service.clearFaults();
		advanceClock(5_000);
		expect(await statusOf(secret)).toBe(200);
	});

	it('a delivery is answered 503 while the credential cannot be read, and its repeat is accepted', async () => {
		trigger.restart();
		const { credential } = trigger;
		loseCredential();
		const result = await trigger.deliver(formDelivery, { secret });
		expect(result).toMatchObject({ status: 503, body: '{"message":"Not ready yet, send again"}', items: undefined });
		expect(trigger.service.requests).toHaveLength(0);
		trigger.credential = credential;
		advanceClock(30_000);
		expect((await trigger.deliver(formDelivery, { secret })).status).toBe(200);
	});
});

describe('key that is mistyped into the credential', () => {
	/** Only in n8n: at Argyle, and for what it signs, the old key is right. */
	const mistypeKey = () => (trigger.credential = { ...trigger.credential, apiKeySecret: 'mistyped' });

	it.each(['registered the subscription', 'verified one before'])(
		'genuine deliveries are accepted by a process that %s, as long as Argyle does not say otherwise',
		async (how) => {
			if (how === 'verified one before') {
				trigger.restart();
				expect(await statusOf(secret)).toBe(200);
			}
			mistypeKey();
			for (let count = 0; count < 2; count++) {
				advanceClock(600_000);
				expect(await statusOf(secret)).toBe(200);
			}
		},
	);

	it('a genuine delivery is answered 503 by a process that has seen nothing of the subscription', async () => {
		trigger.restart();
		mistypeKey();
		expect(await statusOf(secret)).toBe(503);
	});

	it('a forged delivery is never accepted, and Argyle is asked every five seconds at most', async () => {
		mistypeKey();
		advanceClock(600_000);
		for (let second = 0; second < 20; second++) {
			for (let call = 0; call < 3; call++) expect(await statusOf(OTHER_SECRET)).toBe(503);
			advanceClock(1_000);
		}
		expect(trigger.service.requests.length).toBeLessThanOrEqual(4);
	});

	it('once it is mended and published elsewhere, the next delivery is accepted, a second later at the latest', async () => {
		expect(await statusOf(secret)).toBe(200);
		const process = trigger.node;
		mistypeKey();
		// Before, between and after: a forged call has this process ask, and be refused.
		expect(await statusOf(OTHER_SECRET)).toBe(503);
		replaceKey();
		trigger.restart();
		await trigger.activate();
		trigger.node = process;
		advanceClock(1_000);
		expect(await statusOf(trigger.ownSubscriptions()[0]?.secret)).toBe(200);
	});
});

describe('secret of a key that was replaced while the workflow was unpublished', () => {
	it('is refused two minutes after the publish, though no delivery with the new one has come', async () => {
		expect(await statusOf(secret)).toBe(200);
		replaceKey();
		await trigger.runHook('delete');
		await trigger.activate();
		advanceClock(119_000);
		expect(await statusOf(secret)).toBe(200);
		advanceClock(2_000);
		expect(await statusOf(secret)).toBe(401);
	});
});

describe('delivery while a person listens for a test event', () => {
	it.each(['the same process', 'another main process'])(
		'a test event that comes to %s is verified with the secret of the test URL, without a request',
		async (process) => {
			trigger.isTest = true;
			await trigger.activate();
			trigger.service.requests.length = 0;
			if (process === 'another main process') trigger.webhookNode = loadTriggerNode();
			expect(trigger.ownSubscriptions()[0]?.secret).not.toBe(secret);
			expect(await statusOf(trigger.ownSubscriptions()[0]?.secret)).toBe(200);
			expect(trigger.service.requests).toHaveLength(0);
		},
	);

	it('a test event that comes before n8n has registered the test is answered 503, without a request', async () => {
		trigger.restart();
		trigger.isTest = true;
		for (const signedWith of [secret, OTHER_SECRET]) expect(await statusOf(signedWith)).toBe(503);
		expect(trigger.service.requests).toHaveLength(0);
		expect((await trigger.receiver.call(formDelivery)).status).toBe(401);
	});
});
