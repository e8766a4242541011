import { newSubscription } from '../support/fakeArgyle/webhooks.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, runNode, type RunOptions, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const run = async (operation: string, parameters: object, options?: RunOptions) =>
	await node.run({ resource: 'webhook', operation, ...parameters }, options);

const valid = {
	name: 'Forms',
	url: 'https://example.com/argyle',
	events: ['user_forms.submitted'],
	additionalFields: {},
	options: {},
};

describe('Webhook Create', () => {
	it('Webhook Create outputs the record without its secret, or with it when Include Secret is on', async () => {
		const additionalFields = { secret: 'my own secret' };
		const [item] = await run('create', { ...valid, additionalFields });
		const [stored] = node.service.subscriptions.values();
		expect(stored).toMatchObject({ name: 'Forms', url: valid.url, events: valid.events, secret: 'my own secret' });
		expect(item?.json).toMatchObject({ id: stored?.id, name: 'Forms', has_secret: true });
		expect(JSON.stringify(item)).not.toContain('my own secret');
		const [shown] = await run('create', { ...valid, additionalFields, options: { includeSecret: true } });
		expect(shown?.json).toMatchObject({ secret: 'my own secret' });
		expect(shown?.json).not.toHaveProperty('has_secret');
	});

	it.each([
		['production', 'http://example.com/argyle', 'It is not encrypted (http)'],
		['custom', 'http://example.com/argyle', 'It is not encrypted (http)'],
		['sandbox', 'https://localhost:5678/webhook/argyle', 'Only this computer or its own network can reach it'],
	])('Webhook Create in %s refuses %s, to which Argyle can not or must not send', async (environment, url, why) => {
		const credential = { environment, baseUrl: node.service.origin, apiKeyId: 'id', apiKeySecret: 'secret' };
		const error = await failure(runNode(credential, { resource: 'webhook', operation: 'create', ...valid, url }));
		expect(error.message).toBe(`Argyle can't send to ${url} [item 0]`);
		expect(error.description).toContain(why);
		expect(error.description).toContain('Nothing was sent to Argyle.');
	});

	it('Webhook Create without a secret derives one from the key and the URL, and puts out neither', async () => {
		const created = [await run('create', valid), await run('create', { ...valid, additionalFields: { secret: '' } })];
		await run('create', { ...valid, url: 'https://example.com/other' });
		const [first, second, other] = [...node.service.subscriptions.values()].map(({ secret }) => secret);
		expect(first).toMatch(/^[0-9a-f]{64}$/);
		expect(second).toBe(first);
		expect(other).not.toBe(first);
		for (const [item] of created) {
			expect(item?.json).toMatchObject({ has_secret: true });
			expect(JSON.stringify(item)).not.toContain(first);
		}
	});

	it.each(['={{ $json.secret }}', '={{ 12345 }}', '={{ " " }}', '  '])(
		'Webhook Create refuses a secret whose expression %s gives no text before any request',
		async (secret) => {
			expect(await node.refusalOf(run('create', { ...valid, additionalFields: { secret } }))).toBe(
				'Secret is no text [item 0]',
			);
		},
	);

	it("Webhook Create whose answer got lost outputs its own subscription, no other one's to the same URL", async () => {
		const secret = 'my own secret';
		const stored = (name: string, ownSecret: string, ageMs = 0) => {
			const subscription = newSubscription({ ...valid, name, secret: ownSecret });
			const created_at = new Date(Date.now() - ageMs).toISOString();
			node.service.subscriptions.set(subscription.id, { ...subscription, created_at });
		};
		stored('Of another step', secret);
		stored('Forms', 'of another account');
		stored('Forms', secret, 3_600_000);
		const others = [...node.service.subscriptions.keys()];
		node.service.addFault({ kind: 'dropAfterCommit', method: 'POST' });
		const [item] = await run('create', { ...valid, additionalFields: { secret } });
		const created = [...node.service.subscriptions.keys()].filter((id) => !others.includes(id));
		expect([item?.json.id]).toEqual(created);
	});

	it('Webhook Create hides a secret that Argyle repeats in an error', async () => {
		node.service.addFault({ kind: 'status', status: 400, body: { secret: ['"my own secret" is too weak.'] } });
		const error = await failure(run('create', { ...valid, additionalFields: { secret: 'my own secret' } }));
		expect(error.description).toContain('"[hidden]" is too weak');
		expect(JSON.stringify(error)).not.toContain('my own secret');
	});
});

describe('Webhook Get', () => {
	it('Webhook Get outputs the record without its secret, or with it when Include Secret is on', async () => {
		node.addSubscriptions(2);
		const [, second] = node.service.subscriptions.values();
		const id = second?.id ?? '';
		expect((await run('get', { webhookId: byId(` ${id} `), options: {} }))[0]?.json).toMatchObject({
			id,
			has_secret: true,
			config: {},
			last_sent_at: null,
		});
		expect((await run('get', { webhookId: byId(id), options: { includeSecret: true } }))[0]?.json).toMatchObject({
			secret: 'clear',
		});
	});
});

describe('Webhook operations over several items', () => {
	it('Webhook Get reads several items concurrently and outputs them in their order', async () => {
		node.addSubscriptions(12);
		const ids = [...node.service.subscriptions.keys()];
		node.service.addFault({ kind: 'slow', delayMs: 150, path: `/v2/webhooks/${ids[0]}` });
		const id = `={{ ${JSON.stringify(ids)}[$itemIndex] }}`;
		const output = await run('get', { webhookId: byId(id), options: {} }, { items: ids.map(() => ({ json: {} })) });
		expect(output.map(({ json }) => json.id)).toEqual(ids);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(ids.map((_, item) => ({ item })));
		expect(node.service.peakConcurrency).toBeGreaterThan(1);
	});
});
