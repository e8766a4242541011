import { randomUUID } from 'node:crypto';
import { failure } from '../support/n8nCore/failure.mts';
import { useFakeTime } from '../support/fakeTime.mts';
import { activate, hook, stateOf, urlOf } from '../support/n8nCore/trigger.mts';
import { createTriggerFixture, type TriggerFixture } from '../support/n8nCore/triggerFixture.mts';

let stage: TriggerFixture;
beforeEach(async () => {
	stage = await createTriggerFixture();
	useFakeTime();
});
afterEach(async () => {
	jest.restoreAllMocks();
	await stage.service.stop();
});

describe('the first activation', () => {
	it('registers one subscription with the name, URL, events and a secret of 64 hex characters', async () => {
		await activate(stage.trigger);
		expect(stage.allSubscriptions()).toMatchObject([
			{
				name: 'n8n – Forms to CRM',
				url: urlOf(stage.trigger),
				events: ['user_forms.submitted'],
				config: {},
				secret: expect.stringMatching(/^[0-9a-f]{64}$/),
			},
		]);
		expect(stateOf(stage.trigger)).toEqual({
			subscriptionId: stage.allSubscriptions()[0]?.id,
			url: urlOf(stage.trigger),
			secret: stage.allSubscriptions()[0]?.secret,
		});
	});

	it('makes a new secret each time', async () => {
		await activate(stage.trigger);
		const first = stateOf(stage.trigger).secret;
		await hook(stage.trigger, 'delete');
		await activate(stage.trigger);
		expect(stateOf(stage.trigger).secret).not.toBe(first);
	});

	it('takes the name and settings from the options', async () => {
		stage.trigger.parameters = {
			events: ['gigs.partially_synced', 'accounts.added'],
			options: { subscriptionName: ' My forms ', daysSynced: 90, includeResource: true },
		};
		await activate(stage.trigger);
		expect(stage.allSubscriptions()).toMatchObject([
			{ name: 'My forms', config: { days_synced: 90, include_resource: true } },
		]);
	});

	it('is refused before any request when the choice of events makes no subscription', async () => {
		stage.trigger.parameters = { events: ['*', 'accounts.added'], options: {} };
		expect((await failure(activate(stage.trigger))).message).toContain('All Events');
		expect(stage.service.requests).toHaveLength(0);
	});

	it('lives with options that are none', async () => {
		stage.trigger.parameters = { events: ['user_forms.submitted'], options: 'none' };
		await activate(stage.trigger);
		expect(stage.allSubscriptions()).toMatchObject([{ name: 'n8n – Forms to CRM', config: {} }]);
	});

	it('leaves the subscriptions of others alone', async () => {
		const others = [
			stage.foreignSubscription(),
			stage.foreignSubscription({ url: `${urlOf(stage.trigger)}/` }),
			stage.foreignSubscription({ url: urlOf(stage.trigger).replace('webhook/', 'webhook-test/') }),
		];
		await activate(stage.trigger);
		await hook(stage.trigger, 'delete');
		expect(stage.allSubscriptions()).toEqual(others);
	});
});

describe('create', () => {
	it('registers the new subscription before it removes the old one, so that no event falls between', async () => {
		stage.foreignSubscription({ url: urlOf(stage.trigger), events: ['accounts.added'] });
		await hook(stage.trigger, 'create');
		expect(stage.service.requests.map(({ method }) => method)).toEqual(['POST', 'GET', 'DELETE']);
		expect(stage.ownSubscriptions()).toHaveLength(1);
	});

	it('finds again what was made although the answer was lost, and makes it once', async () => {
		stage.service.addFault({ kind: 'dropAfterCommit', method: 'POST' });
		await activate(stage.trigger);
		expect(stage.ownSubscriptions()).toHaveLength(1);
		expect(stage.requestCount('POST')).toBe(1);
		expect(stateOf(stage.trigger)).toMatchObject({
			subscriptionId: stage.ownSubscriptions()[0]?.id,
			secret: stage.ownSubscriptions()[0]?.secret,
		});
	});

	it.each([
		['a record without an id', { kind: 'status', status: 201, body: { ok: true } } as const],
		['an HTML page', { kind: 'html', status: 200 } as const],
		['an error of the service', { kind: 'status', status: 500 } as const],
		['a cut connection', { kind: 'drop' } as const],
	])('fails when the answer is %s and nothing was made', async (_, fault) => {
		stage.service.addFault({ ...fault, method: 'POST', times: Infinity });
		await failure(hook(stage.trigger, 'create'));
		expect(stage.allSubscriptions()).toHaveLength(0);
		expect(stateOf(stage.trigger)).toEqual({});
		stage.service.clearFaults();
		await activate(stage.trigger);
		expect(stage.ownSubscriptions()).toHaveLength(1);
	});

	it('does not look for what was surely not made', async () => {
		stage.service.addFault({ kind: 'status', status: 400, method: 'POST', body: { url: ['Enter a valid URL.'] } });
		const error = await failure(hook(stage.trigger, 'create'));
		expect(error.description).toContain('url: Enter a valid URL.');
		expect(stage.service.requests.map(({ method }) => method)).toEqual(['POST']);
	});

	it('undoes the new subscription when the old one can not be removed, and names the one that stays', async () => {
		const old = stage.foreignSubscription({ url: urlOf(stage.trigger), events: ['accounts.added'] });
		// Only the old one is held fast; the new one's id is not known yet.
		stage.service.addFault({ kind: 'status', status: 500, path: `/v2/webhooks/${old.id}`, times: Infinity });
		const error = await failure(hook(stage.trigger, 'create'));
		expect(error.description).toContain(old.id);
		expect(stage.allSubscriptions()).toEqual([old]);
		expect(stateOf(stage.trigger)).toEqual({});
	});

	it('is healed by the next activation when even the undoing fails', async () => {
		stage.foreignSubscription({ url: urlOf(stage.trigger), events: ['accounts.added'] });
		stage.service.addFault({ kind: 'status', status: 500, method: 'DELETE', times: Infinity });
		await failure(hook(stage.trigger, 'create'));
		expect(stage.ownSubscriptions()).toHaveLength(2);
		stage.service.clearFaults();
		await activate(stage.trigger);
		expect(stage.ownSubscriptions()).toHaveLength(1);
		expect(stateOf(stage.trigger).subscriptionId).toBe(stage.ownSubscriptions()[0]?.id);
	});

	it.each([
		[409, { detail: 'Conflict' }],
		[400, { url: ['A webhook with this url already exists.'] }],
	])('would also live with a service that allows one subscription a URL (%i)', async (status, body) => {
		stage.foreignSubscription({ url: urlOf(stage.trigger), events: ['accounts.added'] });
		stage.service.addFault({ kind: 'status', status, body, method: 'POST' });
		await hook(stage.trigger, 'create');
		expect(stage.ownSubscriptions()).toMatchObject([{ events: ['user_forms.submitted'] }]);
	});

	it('removes nothing when it was refused for another reason, or when there is nothing to remove', async () => {
		const old = stage.foreignSubscription({ url: urlOf(stage.trigger), events: ['accounts.added'] });
		stage.service.addFault({ kind: 'status', status: 400, method: 'POST', body: { events: ['Unknown event.'] } });
		await failure(hook(stage.trigger, 'create'));
		expect(stage.allSubscriptions()).toEqual([old]);
		stage.service.subscriptions.clear();
		stage.service.addFault({ kind: 'status', status: 409, method: 'POST', times: 2 });
		await failure(hook(stage.trigger, 'create'));
		expect(stage.requestCount('POST')).toBe(2);
	});

	it('says "Authorization" for a wrong key, so that n8n does not try again for nothing', async () => {
		stage.trigger.credential = { ...stage.trigger.credential, apiKeySecret: 'wrong' };
		expect((await failure(hook(stage.trigger, 'create'))).message).toContain('Authorization');
	});

	it('shows neither the key nor the secret in its errors', async () => {
		stage.service.addFault({
			kind: 'status',
			status: 400,
			method: 'POST',
			body: {
				detail: `${stage.service.key.id} ${stage.service.key.secret} ${btoa(`${stage.service.key.id}:${stage.service.key.secret}`)}`,
			},
		});
		const error = await failure(hook(stage.trigger, 'create'));
		const shown = JSON.stringify({
			...error,
			message: error.message,
			description: error.description,
			cause: error.cause,
			context: error.context,
		});
		const sent = stage.service.requests.find(({ method }) => method === 'POST')?.body;
		const secret =
			typeof sent === 'object' && sent !== null && 'secret' in sent ? String(sent.secret) : 'none was sent';
		for (const hidden of [
			stage.service.key.id,
			stage.service.key.secret,
			btoa(`${stage.service.key.id}:${stage.service.key.secret}`),
			secret,
		])
			expect(shown).not.toContain(hidden);
		expect(error.description).toContain('[hidden] [hidden] [hidden]');
	});
});

it('an account of many subscriptions is read to the end before anything is made', async () => {
	for (let index = 0; index < 399; index++) stage.foreignSubscription({ id: randomUUID() });
	const last = stage.foreignSubscription({
		url: urlOf(stage.trigger),
		events: ['accounts.added'],
		created_at: '2099-01-01T00:00:00.000Z',
	});
	stage.foreignSubscription({ created_at: '2099-01-02T00:00:00.000Z' });
	await activate(stage.trigger);
	expect(stage.service.subscriptions.has(last.id)).toBe(false);
	expect(stage.ownSubscriptions()).toHaveLength(1);
});
