import { NodeApiError, UserError } from 'n8n-workflow';
import * as environment from '../../nodes/Argyle/transport/environment';
import { advance, useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { formDelivery, useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const trigger = useTriggerFixture();
beforeEach(() => {
	useFakeTime();
});

describe('delete of the trigger', () => {
	it('delete succeeds when the subscription is already gone, and looks for others to the URL', async () => {
		await trigger.activate();
		trigger.service.subscriptions.clear();
		trigger.foreignSubscription({ url: trigger.url });
		expect(await trigger.runHook('delete')).toBe(true);
		expect(trigger.allSubscriptions()).toHaveLength(0);
		expect(await trigger.runHook('delete')).toBe(true);
	});

	it.each([true, false])(
		"delete after a restart removes every subscription with the trigger's URL (static data kept: %p)",
		async (isKept) => {
			await trigger.activate();
			trigger.foreignSubscription({ url: trigger.url });
			const other = trigger.foreignSubscription();
			if (!isKept) trigger.staticData = {};
			trigger.restart();
			expect(await trigger.runHook('delete')).toBe(true);
			expect(trigger.allSubscriptions()).toEqual([other]);
		},
	);

	it('delete succeeds when the subscription is gone and the list cannot be read, and says so in the log', async () => {
		await trigger.activate();
		trigger.service.subscriptions.clear();
		trigger.service.addFault({ kind: 'status', status: 500, method: 'GET', times: Infinity });
		expect(await trigger.runHook('delete')).toBe(true);
		expect(trigger.warnings).toEqual([expect.stringContaining('could not be asked')]);
	});

	it("delete without its credential fails in n8n's words, names the subscription, and lets n8n give up", async () => {
		await trigger.activate();
		const [own] = trigger.allSubscriptions();
		const missing = new UserError('Credential with ID "1" does not exist for type "argyleApi".');
		trigger.credential = {
			toJSON() {
				throw missing;
			},
		};
		const error = await failure(trigger.runHook('delete'));
		expect(error.message).toBe(
			`Credential with ID "1" does not exist for type "argyleApi". The webhook subscription ${own?.id} stays at Argyle for now. Check the node's credential and expressions. Publishing the workflow again removes it, and so does the Argyle Console under Developers > Webhooks.`,
		);
		expect(error.cause).toBe(missing);
	});

	it.each([false, true])(
		'delete that cannot remove the known subscription fails, names it, and succeeds when run again (restarted: %p)',
		async (isRestarted) => {
			await trigger.activate();
			const [own] = trigger.allSubscriptions();
			if (isRestarted) trigger.restart();
			trigger.service.addFault({ kind: 'status', status: 500, method: 'DELETE', times: Infinity });
			const error = await failure(trigger.runHook('delete'));
			expect(error).toBeInstanceOf(NodeApiError);
			expect(error.message).toContain(`subscription ${own?.id} stays`);
			expect(error.message).toContain('Argyle Console');
			trigger.service.clearFaults();
			advance(20_000);
			await trigger.runHook('delete');
			expect(trigger.allSubscriptions()).toHaveLength(0);
		},
	);

	it('delete with nothing known and an unreachable URL makes no request', async () => {
		const sandbox = { origin: trigger.service.origin, label: 'Sandbox' as const };
		jest.spyOn(environment, 'resolveEnvironment').mockReturnValue(sandbox);
		trigger.webhookBase = 'http://localhost:5678/webhook';
		trigger.foreignSubscription({ url: trigger.url });
		expect((await failure(trigger.activate())).message).toContain("Argyle can't reach this n8n");
		expect(await trigger.runHook('delete')).toBe(true);
		expect(trigger.service.requests).toHaveLength(0);
	});
});

describe('a publish that failed and is mended', () => {
	it.each<[string, object]>([
		['key', { apiKeySecret: 'wrong' }],
		['base URL', { baseUrl: 'no address' }],
	])('a wrong %s fails the first publish, and with the right one there is one subscription', async (_, wrong) => {
		const right = trigger.credential;
		trigger.credential = { ...right, ...wrong };
		await failure(trigger.activate());
		// n8n undoes a failed publish.
		expect(await trigger.runHook('delete')).toBe(true);
		expect(trigger.warnings).toEqual([expect.stringContaining('could not be asked')]);
		trigger.credential = right;
		await trigger.activate();
		expect(trigger.ownSubscriptions()).toHaveLength(1);
		expect((await trigger.deliver(formDelivery)).items).toHaveLength(1);
	});

	it.each([false, true])(
		'a wrong key fails a later publish too, and n8n can undo it because nothing stays behind (restarted: %p)',
		async (isRestarted) => {
			await trigger.activate();
			await trigger.runHook('delete');
			if (isRestarted) trigger.restart();
			const right = trigger.credential;
			trigger.credential = { ...right, apiKeySecret: 'wrong' };
			await failure(trigger.activate());
			expect(await trigger.runHook('delete')).toBe(true);
			trigger.credential = right;
			await trigger.activate();
			expect(trigger.ownSubscriptions()).toHaveLength(1);
		},
	);
});

describe('trigger that listens for a test event', () => {
	it.each([false, true])(
		'a test uses a subscription of its own, and leaves no trace in what is published (n8n restarted: %p)',
		async (isRestarted) => {
			await trigger.activate();
			const [production] = trigger.ownSubscriptions();
			const before = trigger.state;
			if (isRestarted) trigger.restart();
			trigger.isTest = true;
			await trigger.activate();
			const [test] = trigger.ownSubscriptions();
			expect(test?.url).not.toBe(production?.url);
			expect(trigger.allSubscriptions()).toEqual([production, test]);
			await trigger.runHook('delete');
			expect(trigger.allSubscriptions()).toEqual([production]);
			expect([trigger.state, trigger.warnings]).toEqual([before, []]);
			trigger.isTest = false;
			trigger.service.requests.length = 0;
			await trigger.runHook('delete');
			const methods = trigger.service.requests.map(({ method }) => method);
			expect(methods).toEqual(isRestarted ? ['GET', 'DELETE'] : ['DELETE']);
		},
	);
});
