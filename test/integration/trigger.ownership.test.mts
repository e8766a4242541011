import { randomUUID } from 'node:crypto';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import { startFakeArgyle } from '../support/fakeArgyle/index.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { formDelivery, useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const trigger = useTriggerFixture();

/** Publishes the trigger, then is another n8n with a copy of all its data, at another address. */
async function publishAndCopy(webhookBase = `https://${randomUUID()}.example.com/webhook`) {
	await trigger.activate();
	const original = { ...trigger.ownSubscriptions()[0] };
	trigger.restart();
	trigger.webhookBase = webhookBase;
	trigger.service.requests.length = 0;
	return { original };
}

describe("a copy of n8n's data at another address", () => {
	it('unpublishing the copy leaves the subscription of the original', async () => {
		const { original } = await publishAndCopy();
		expect(await trigger.runHook('delete')).toBe(true);
		expect(trigger.allSubscriptions()).toEqual([original]);
		expect(trigger.requestCount('DELETE')).toBe(0);
	});

	it.each(['activate', 'update'] as const)(
		'publishing the copy (%s) registers one of its own, and leaves that of the original',
		async (mode) => {
			const { original } = await publishAndCopy();
			trigger.activationMode = mode;
			await trigger.activate();
			expect(trigger.allSubscriptions()).toEqual([original, ...trigger.ownSubscriptions()]);
			expect(trigger.ownSubscriptions()).toHaveLength(1);
			expect((await trigger.deliver(formDelivery)).status).toBe(200);
			await trigger.runHook('delete');
			expect(trigger.allSubscriptions()).toEqual([original]);
		},
	);

	it('a copy at an address that Argyle cannot reach leaves the subscription of the original', async () => {
		const { original } = await publishAndCopy('http://localhost:5678/webhook');
		trigger.credential = { ...trigger.credential, environment: 'sandbox' };
		expect((await failure(trigger.activate())).message).toContain("can't reach this n8n");
		// n8n undoes a failed publish.
		expect(await trigger.runHook('delete')).toBe(true);
		expect(trigger.allSubscriptions()).toEqual([original]);
		expect(trigger.service.requests).toHaveLength(0);
	});
});

describe('static data that names what is not the own subscription', () => {
	it("a foreign subscription that static data names with the trigger's URL is not deleted", async () => {
		const foreign = trigger.foreignSubscription();
		const registered = { id: foreign.id, url: trigger.url };
		trigger.staticData = { 'node:Node': { registered, bookmark: new Date().toISOString() } };
		trigger.activationMode = 'update';
		await trigger.runHook('delete');
		await trigger.activate();
		await trigger.runHook('delete');
		expect(trigger.allSubscriptions()).toEqual([foreign]);
	});
});

describe('credential that was moved to another account', () => {
	it.each([false, true])(
		'publishing again leaves the subscription of the old account (n8n restarted: %p)',
		async (isRestarted) => {
			await trigger.activate();
			const [old] = trigger.ownSubscriptions();
			if (isRestarted) trigger.restart();
			const other = await startFakeArgyle();
			trigger.credential = credentialFor(other);
			trigger.activationMode = 'update';
			await trigger.runHook('delete');
			await trigger.activate();
			expect([...other.subscriptions.values()].map(({ url }) => url)).toEqual([trigger.url]);
			expect(trigger.ownSubscriptions()).toEqual([old]);
			await other.stop();
		},
	);
});

describe('two workflows whose triggers have one URL', () => {
	it("deleting one trigger leaves the other's subscription, and deleting the last one removes it", async () => {
		await trigger.activate();
		const first = { workflowId: trigger.workflowId, staticData: trigger.staticData };
		Object.assign(trigger, { workflowId: randomUUID(), staticData: {} });
		await trigger.activate();
		const [own] = trigger.ownSubscriptions();
		expect(trigger.ownSubscriptions()).toHaveLength(1);
		expect(await trigger.runHook('delete')).toBe(true);
		expect(trigger.ownSubscriptions()).toEqual([own]);
		expect(trigger.warnings).toEqual([expect.stringContaining('same webhook URL')]);
		Object.assign(trigger, first);
		await trigger.runHook('delete');
		expect(trigger.ownSubscriptions()).toEqual([]);
	});
});
