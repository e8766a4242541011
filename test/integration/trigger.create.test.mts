import { useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const trigger = useTriggerFixture();
beforeEach(() => {
	useFakeTime();
});

describe('first activation of the trigger', () => {
	it('activation creates one subscription with name, URL, events and a secret of 64 hex digits', async () => {
		await trigger.activate();
		expect(trigger.allSubscriptions()).toMatchObject([
			{
				name: 'n8n – Forms to CRM',
				url: trigger.url,
				events: ['user_forms.submitted'],
				config: {},
				secret: expect.stringMatching(/^[0-9a-f]{64}$/),
			},
		]);
		const [own] = trigger.allSubscriptions();
		expect(trigger.state).toEqual({
			owner: expect.any(String),
			boundTo: own?.id,
			since: { 'user_forms.submitted': Date.parse(String(own?.created_at)) },
			started: [],
		});
	});

	it('activation sends the name and the settings of the options', async () => {
		trigger.parameters = {
			events: ['gigs.partially_synced', 'accounts.added'],
			options: { subscriptionName: ' My forms ', daysSynced: 90, includeResource: true },
		};
		await trigger.activate();
		expect(trigger.allSubscriptions()).toMatchObject([
			{ name: 'My forms', config: { days_synced: 90, include_resource: true } },
		]);
	});

	it('activation sends the Items of an event that needs them', async () => {
		trigger.parameters = { events: ['items.removed'], items: ['item_000041078'], options: {} };
		await trigger.activate();
		expect(trigger.allSubscriptions()).toMatchObject([{ config: { items: ['item_000041078'] } }]);
	});

	it("an expression that fails in Events is told in n8n's words, with what to do", async () => {
		trigger.parameters = { events: '={{ $("Nowhere").item.json.events }}', options: {} };
		expect((await failure(trigger.activate())).message).toMatch(
			/^Referenced node doesn't exist\. .*Check the node's credential and expressions\. When that is done, publish the workflow again\.$/,
		);
	});

	it('activating and deactivating leaves subscriptions with other URLs alone', async () => {
		const others = [
			trigger.foreignSubscription(),
			trigger.foreignSubscription({ url: `${trigger.url}/` }),
			trigger.foreignSubscription({ url: trigger.url.replace('webhook/', 'webhook-test/') }),
		];
		await trigger.activate();
		await trigger.runHook('delete');
		expect(trigger.allSubscriptions()).toEqual(others);
	});
});

describe('create of the trigger', () => {
	it('create adds the new subscription before it deletes the old one, so that no event is lost', async () => {
		trigger.foreignSubscription({ url: trigger.url, events: ['accounts.added'] });
		await trigger.runHook('create');
		expect(trigger.service.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'DELETE']);
		expect(trigger.ownSubscriptions()).toHaveLength(1);
	});

	it('create sends one POST and finds the new subscription when the response was lost', async () => {
		trigger.service.addFault({ kind: 'dropAfterCommit', method: 'POST' });
		await trigger.activate();
		expect(trigger.ownSubscriptions()).toHaveLength(1);
		expect(trigger.requestCount('POST')).toBe(1);
		expect(trigger.state.boundTo).toBe(trigger.ownSubscriptions()[0]?.id);
		trigger.service.requests.length = 0;
		await trigger.runHook('delete');
		expect(trigger.service.requests.map(({ method }) => method)).toEqual(['DELETE']);
	});

	it.each([
		['a record without an id', { kind: 'status', status: 201, body: { ok: true } } as const],
		['an HTML page', { kind: 'html', status: 200 } as const],
		['an error of the service', { kind: 'status', status: 500 } as const],
		['a cut connection', { kind: 'drop' } as const],
	])('create fails when the response is %s and nothing was created', async (_, fault) => {
		trigger.service.addFault({ ...fault, method: 'POST', times: Infinity });
		await failure(trigger.runHook('create'));
		expect(trigger.allSubscriptions()).toHaveLength(0);
		expect(trigger.state).toEqual({});
		trigger.service.clearFaults();
		await trigger.activate();
		expect(trigger.ownSubscriptions()).toHaveLength(1);
	});

	it('create deletes the new subscription when the old one cannot be deleted, and names the old one', async () => {
		const old = trigger.foreignSubscription({ url: trigger.url, events: ['accounts.added'] });
		// Only deleting the old one fails.
		trigger.service.addFault({ kind: 'status', status: 500, path: `/v2/webhooks/${old.id}`, times: Infinity });
		const error = await failure(trigger.runHook('create'));
		expect(error.description).toContain(old.id);
		expect(trigger.allSubscriptions()).toEqual([old]);
		expect(trigger.state).toEqual({});
	});

	it('the next activation deletes the duplicate that a failed create and a failed rollback left', async () => {
		trigger.foreignSubscription({ url: trigger.url, events: ['accounts.added'] });
		trigger.service.addFault({ kind: 'status', status: 500, method: 'DELETE', times: Infinity });
		await failure(trigger.runHook('create'));
		expect(trigger.ownSubscriptions()).toHaveLength(2);
		expect(trigger.warnings).toEqual([expect.stringMatching(/could not be removed; the next publish tries again$/)]);
		trigger.service.clearFaults();
		await trigger.activate();
		expect(trigger.ownSubscriptions()).toHaveLength(1);
		expect(trigger.state.boundTo).toBe(trigger.ownSubscriptions()[0]?.id);
	});

	it.each([400, 409])('create asks for and deletes nothing after Argyle has refused it (%i)', async (status) => {
		const old = trigger.foreignSubscription({ url: trigger.url, events: ['accounts.added'] });
		trigger.service.addFault({ kind: 'status', status, method: 'POST', body: { events: ['Unknown event.'] } });
		expect((await failure(trigger.runHook('create'))).description).toContain('events: Unknown event.');
		expect(trigger.service.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
		expect(trigger.allSubscriptions()).toEqual([old]);
	});

	it('errors of create contain neither the API key nor the signing secret', async () => {
		const { id, secret: apiKeySecret } = trigger.service.key;
		const key = [id, apiKeySecret, btoa(`${id}:${apiKeySecret}`)];
		trigger.service.addFault({ kind: 'status', status: 400, method: 'POST', body: { detail: key.join(' ') } });
		const error = await failure(trigger.runHook('create'));
		const { message, description, cause, context } = error;
		const shown = JSON.stringify([{ ...error }, message, description, cause, context]);
		const sent = trigger.service.requests.find(({ method }) => method === 'POST')?.body;
		const secret =
			typeof sent === 'object' && sent !== null && 'secret' in sent ? String(sent.secret) : 'none was sent';
		for (const hidden of [...key, secret]) expect(shown).not.toContain(hidden);
		expect(description).toContain('[hidden] [hidden] [hidden]');
	});
});
