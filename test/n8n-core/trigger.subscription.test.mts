import { randomUUID } from 'node:crypto';
import { NodeApiError } from 'n8n-workflow';
import { type Service, startService, type Subscription } from '../service/index.mts';
import { newSubscription } from '../service/webhooks.mts';
import { activate, hook, stateOf, type TestedTrigger, urlOf } from './trigger.mts';
import { credentialFor } from './workflow.mts';

let service: Service;
let trigger: TestedTrigger;

beforeEach(async () => {
	service = await startService({ requestsPerSecond: 1_000 });
	trigger = { credential: credentialFor(service), parameters: { events: ['user_forms.submitted'], options: {} }, staticData: {} };
});
afterEach(async () => await service.stop());

const stored = () => [...service.subscriptions.values()];
const ours = () => stored().filter(({ url }) => url === urlOf(trigger));
const done = (method: string) => service.requests.filter((request) => request.method === method).length;

/** Puts a subscription at the service that somebody else, or an earlier life of the trigger, made. */
function stranger(fields: Partial<Subscription> = {}): Subscription {
	const made = { ...newSubscription({ name: 'Stranger', url: 'https://elsewhere.example.com', events: ['*'], secret: null }), ...fields };
	service.subscriptions.set(made.id, made);
	return made;
}

async function failure(action: Promise<unknown>): Promise<NodeApiError> {
	const error: unknown = await action.then(() => undefined, (caught: unknown) => caught);
	if (error instanceof Error && 'description' in error) return error as NodeApiError;
	throw new Error('did not fail as a node does');
}

describe('the first activation', () => {
	it('registers one subscription with the name, URL, events and a secret of 64 hex characters', async () => {
		await activate(trigger);
		expect(stored()).toMatchObject([{ name: 'n8n – Forms to CRM', url: urlOf(trigger), events: ['user_forms.submitted'], config: {}, secret: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
		expect(stateOf(trigger)).toEqual({ subscriptionId: stored()[0]?.id, url: urlOf(trigger), secret: stored()[0]?.secret });
	});

	it('makes a new secret each time', async () => {
		await activate(trigger);
		const first = stateOf(trigger).secret;
		await hook(trigger, 'delete');
		await activate(trigger);
		expect(stateOf(trigger).secret).not.toBe(first);
	});

	it('takes the name and settings from the options', async () => {
		trigger.parameters = { events: ['gigs.partially_synced', 'accounts.added'], options: { subscriptionName: ' My forms ', daysSynced: 90, includeResource: true } };
		await activate(trigger);
		expect(stored()).toMatchObject([{ name: 'My forms', config: { days_synced: 90, include_resource: true } }]);
	});

	it('is refused before any request when the choice of events makes no subscription', async () => {
		trigger.parameters = { events: ['*', 'accounts.added'], options: {} };
		expect((await failure(activate(trigger))).message).toContain('All Events');
		expect(service.requests).toHaveLength(0);
	});

	it('lives with options that are none', async () => {
		trigger.parameters = { events: ['user_forms.submitted'], options: 'none' };
		await activate(trigger);
		expect(stored()).toMatchObject([{ name: 'n8n – Forms to CRM', config: {} }]);
	});

	it('leaves the subscriptions of others alone', async () => {
		const others = [stranger(), stranger({ url: `${urlOf(trigger)}/` }), stranger({ url: urlOf(trigger).replace('webhook/', 'webhook-test/') })];
		await activate(trigger);
		await hook(trigger, 'delete');
		expect(stored()).toEqual(others);
	});
});

describe('checkExists', () => {
	it('finds the subscription by its id with one request', async () => {
		await activate(trigger);
		service.requests.length = 0;
		expect(await hook(trigger, 'checkExists')).toBe(true);
		expect(service.requests.map(({ path }) => path)).toEqual([`/v2/webhooks/${stored()[0]?.id}`]);
	});

	it('says no when there is none, or when it was deleted at the service', async () => {
		expect(await hook(trigger, 'checkExists')).toBe(false);
		await activate(trigger);
		service.subscriptions.clear();
		expect(await hook(trigger, 'checkExists')).toBe(false);
	});

	it('adopts its own subscription by URL, with its secret, when the static data was lost: on the second page too', async () => {
		await activate(trigger);
		const [mine] = stored();
		service.subscriptions.clear();
		for (let index = 0; index < 205; index++) stranger({ created_at: '2020-01-01T00:00:00.000Z' });
		if (mine !== undefined) service.subscriptions.set(mine.id, mine);
		trigger.staticData = {};
		service.requests.length = 0;
		expect(await hook(trigger, 'checkExists')).toBe(true);
		expect(done('GET')).toBe(2);
		expect(stateOf(trigger)).toEqual({ subscriptionId: mine?.id, url: urlOf(trigger), secret: mine?.secret });
		expect(stored()).toHaveLength(206);
	});

	it('keeps one of several twins and removes the others', async () => {
		await activate(trigger);
		stranger({ url: urlOf(trigger), events: ['user_forms.submitted'], secret: 'a'.repeat(64) });
		stranger({ url: urlOf(trigger), events: ['accounts.added'], secret: 'b'.repeat(64) });
		trigger.staticData = {};
		expect(await hook(trigger, 'checkExists')).toBe(true);
		expect(ours()).toHaveLength(1);
		expect(stateOf(trigger).subscriptionId).toBe(ours()[0]?.id);
		expect(stateOf(trigger).secret).toBe(ours()[0]?.secret);
	});

	it('retires the secret it knew when it adopts another subscription', async () => {
		await activate(trigger);
		const known = stateOf(trigger).secret;
		service.subscriptions.clear();
		stranger({ url: urlOf(trigger), events: ['user_forms.submitted'], secret: 'a'.repeat(64) });
		expect(await hook(trigger, 'checkExists')).toBe(true);
		expect(stateOf(trigger)).toMatchObject({ secret: 'a'.repeat(64), retired: [{ secret: known }] });
	});

	it('finds by URL what it knows the secret of but not the id, and retires nothing', async () => {
		await activate(trigger);
		const { secret } = stateOf(trigger);
		trigger.staticData = { 'node:Node': { secret: String(secret) } };
		expect(await hook(trigger, 'checkExists')).toBe(true);
		expect(stateOf(trigger)).toEqual({ subscriptionId: stored()[0]?.id, url: urlOf(trigger), secret });
	});

	it.each([null, '', 'short', 'A'.repeat(64)])('does not adopt a subscription whose secret is %p', async (secret) => {
		stranger({ url: urlOf(trigger), events: ['user_forms.submitted'], secret });
		expect(await hook(trigger, 'checkExists')).toBe(false);
	});

	it.each<[string, (mine: Subscription) => void]>([
		['events', (mine) => (mine.events = ['user_forms.removed'])],
		['config', (mine) => (mine.config = { include_resource: true })],
		['secret', (mine) => (mine.secret = null)],
		['URL', (mine) => (mine.url = 'https://old.example.com')],
	])('says no when the %s differ, and create replaces the subscription', async (_, drift) => {
		await activate(trigger);
		const [before] = stored();
		if (before !== undefined) drift(before);
		expect(await hook(trigger, 'checkExists')).toBe(false);
		await hook(trigger, 'create');
		expect(stored()).toHaveLength(1);
		expect(stored()[0]).toMatchObject({ url: urlOf(trigger), events: ['user_forms.submitted'], config: {} });
		expect(stored()[0]?.id).not.toBe(before?.id);
	});

	it('does not mind another name, another order of events, or config null', async () => {
		trigger.parameters = { events: ['user_forms.submitted', 'user_forms.removed'], options: {} };
		await activate(trigger);
		const [mine] = stored();
		Object.assign(mine ?? {}, { name: 'Renamed', events: ['user_forms.removed', 'user_forms.submitted'], config: null });
		expect(await hook(trigger, 'checkExists')).toBe(true);
	});

	it('fails in words when the service can not be asked, and removes nothing', async () => {
		await activate(trigger);
		service.addFault({ kind: 'status', status: 503 });
		expect((await failure(hook(trigger, 'checkExists'))).message).toBe('Argyle is not available at the moment');
		expect(stored()).toHaveLength(1);
		expect(stateOf(trigger).subscriptionId).toBe(stored()[0]?.id);
	});

	it('removes the old subscription when n8n\'s own address changed', async () => {
		await activate(trigger);
		const old = urlOf(trigger);
		stranger({ url: old, events: ['user_forms.submitted'], secret: 'c'.repeat(64) });
		trigger.webhookBase = 'https://new.example.com/webhook';
		await activate(trigger);
		expect(stored().map(({ url }) => url)).toEqual([urlOf(trigger)]);
		expect(urlOf(trigger)).not.toBe(old);
	});
});

describe('create', () => {
	it('registers the new subscription before it removes the old one, so that no event falls between', async () => {
		stranger({ url: urlOf(trigger), events: ['accounts.added'] });
		await hook(trigger, 'create');
		expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'DELETE']);
		expect(ours()).toHaveLength(1);
	});

	it('finds again what was made although the answer was lost, and makes it once', async () => {
		service.addFault({ kind: 'lost', method: 'POST' });
		await activate(trigger);
		expect(ours()).toHaveLength(1);
		expect(done('POST')).toBe(1);
		expect(stateOf(trigger)).toMatchObject({ subscriptionId: ours()[0]?.id, secret: ours()[0]?.secret });
	});

	it.each([
		['a record without an id', { kind: 'status', status: 201, body: { ok: true } } as const],
		['an HTML page', { kind: 'html', status: 200 } as const],
		['an error of the service', { kind: 'status', status: 500 } as const],
		['a cut connection', { kind: 'drop' } as const],
	])('fails when the answer is %s and nothing was made', async (_, fault) => {
		service.addFault({ ...fault, method: 'POST' });
		await failure(hook(trigger, 'create'));
		expect(stored()).toHaveLength(0);
		expect(stateOf(trigger)).toEqual({});
		await activate(trigger);
		expect(ours()).toHaveLength(1);
	});

	it('does not look for what was surely not made', async () => {
		service.addFault({ kind: 'status', status: 400, method: 'POST', body: { url: ['Enter a valid URL.'] } });
		const error = await failure(hook(trigger, 'create'));
		expect(error.description).toContain('url: Enter a valid URL.');
		expect(service.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
	});

	it('undoes the new subscription when the old one can not be removed, and names the one that stays', async () => {
		const old = stranger({ url: urlOf(trigger), events: ['accounts.added'] });
		service.addFault({ kind: 'status', status: 500, method: 'DELETE' });
		const error = await failure(hook(trigger, 'create'));
		expect(error.description).toContain(old.id);
		expect(stored()).toEqual([old]);
		expect(stateOf(trigger)).toEqual({});
	});

	it('is healed by the next activation when even the undoing fails', async () => {
		stranger({ url: urlOf(trigger), events: ['accounts.added'] });
		service.addFault({ kind: 'status', status: 500, method: 'DELETE', times: 2 });
		await failure(hook(trigger, 'create'));
		expect(ours()).toHaveLength(2);
		await activate(trigger);
		expect(ours()).toHaveLength(1);
		expect(stateOf(trigger).subscriptionId).toBe(ours()[0]?.id);
	});

	it.each([
		[409, { detail: 'Conflict' }],
		[400, { url: ['A webhook with this url already exists.'] }],
	])('would also live with a service that allows one subscription a URL (%i)', async (status, body) => {
		stranger({ url: urlOf(trigger), events: ['accounts.added'] });
		service.addFault({ kind: 'status', status, body, method: 'POST' });
		await hook(trigger, 'create');
		expect(ours()).toMatchObject([{ events: ['user_forms.submitted'] }]);
	});

	it('removes nothing when it was refused for another reason, or when there is nothing to remove', async () => {
		const old = stranger({ url: urlOf(trigger), events: ['accounts.added'] });
		service.addFault({ kind: 'status', status: 400, method: 'POST', body: { events: ['Unknown event.'] } });
		await failure(hook(trigger, 'create'));
		expect(stored()).toEqual([old]);
		service.subscriptions.clear();
		service.addFault({ kind: 'status', status: 409, method: 'POST', times: 2 });
		await failure(hook(trigger, 'create'));
		expect(done('POST')).toBe(2);
	});

	it('says "Authorization" for a wrong key, so that n8n does not try again for nothing', async () => {
		trigger.credential = { ...trigger.credential, apiKeySecret: 'wrong' };
		expect((await failure(hook(trigger, 'create'))).message).toContain('Authorization');
	});

	it('shows neither the key nor the secret in its errors', async () => {
		service.addFault({ kind: 'status', status: 400, method: 'POST', body: { detail: `${service.key.id} ${service.key.secret} ${btoa(`${service.key.id}:${service.key.secret}`)}` } });
		const error = await failure(hook(trigger, 'create'));
		const shown = JSON.stringify({ ...error, message: error.message, description: error.description, cause: error.cause, context: error.context });
		const sent = service.requests.find(({ method }) => method === 'POST')?.body;
		const secret = typeof sent === 'object' && sent !== null && 'secret' in sent ? String(sent.secret) : 'none was sent';
		for (const hidden of [service.key.id, service.key.secret, btoa(`${service.key.id}:${service.key.secret}`), secret]) expect(shown).not.toContain(hidden);
		expect(error.description).toContain('[hidden] [hidden] [hidden]');
	});
});

describe('delete', () => {
	it('removes the subscription and keeps the secret for the overlap only', async () => {
		await activate(trigger);
		const { secret } = stateOf(trigger);
		expect(await hook(trigger, 'delete')).toBe(true);
		expect(stored()).toHaveLength(0);
		expect(stateOf(trigger)).toEqual({ retired: [{ secret, until: expect.any(Number) }] });
	});

	it('takes a subscription that is gone already for a success', async () => {
		await activate(trigger);
		service.subscriptions.clear();
		expect(await hook(trigger, 'delete')).toBe(true);
		expect(stateOf(trigger)).not.toHaveProperty('subscriptionId');
		expect(await hook(trigger, 'delete')).toBe(true);
	});

	it('removes whatever sends to its URL, also without any static data', async () => {
		await activate(trigger);
		stranger({ url: urlOf(trigger) });
		const other = stranger();
		trigger.staticData = {};
		expect(await hook(trigger, 'delete')).toBe(true);
		expect(stored()).toEqual([other]);
	});

	it('names the subscription that stays behind, keeps its id, and succeeds on the next try', async () => {
		await activate(trigger);
		const [mine] = stored();
		service.addFault({ kind: 'status', status: 500, method: 'DELETE' });
		const error = await failure(hook(trigger, 'delete'));
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.description).toContain(`subscription ${mine?.id} stays`);
		expect(error.description).toContain('Argyle Console');
		expect(stateOf(trigger)).toMatchObject({ subscriptionId: mine?.id, secret: mine?.secret });
		await hook(trigger, 'delete');
		expect(stored()).toHaveLength(0);
	});

	it('fails when the list can not be read, but does not forget the address', async () => {
		await activate(trigger);
		service.addFault({ kind: 'status', status: 500, method: 'GET' });
		await failure(hook(trigger, 'delete'));
		expect(stateOf(trigger)).toMatchObject({ url: urlOf(trigger) });
		expect(stateOf(trigger)).not.toHaveProperty('subscriptionId');
		expect(await hook(trigger, 'delete')).toBe(true);
		expect(stateOf(trigger)).not.toHaveProperty('url');
	});
});

describe('listening for a test event', () => {
	it('has a subscription of its own and leaves the production one alone', async () => {
		await activate(trigger);
		const [production] = stored();
		const test: TestedTrigger = { ...trigger, staticData: {}, isTest: true };
		await activate(test);
		expect(urlOf(test)).not.toBe(urlOf(trigger));
		expect(stored().map(({ url }) => url)).toEqual([urlOf(trigger), urlOf(test)]);
		await hook(test, 'delete');
		expect(stored()).toEqual([production]);
	});

	it('clears away what an earlier test left behind', async () => {
		const test: TestedTrigger = { ...trigger, isTest: true };
		stranger({ url: urlOf(test), events: ['accounts.added'] });
		await activate(test);
		expect(stored()).toHaveLength(1);
	});
});

it('an account of many subscriptions is read to the end before anything is made', async () => {
	for (let index = 0; index < 399; index++) stranger({ id: randomUUID() });
	const last = stranger({ url: urlOf(trigger), events: ['accounts.added'], created_at: '2099-01-01T00:00:00.000Z' });
	stranger({ created_at: '2099-01-02T00:00:00.000Z' });
	await activate(trigger);
	expect(service.subscriptions.has(last.id)).toBe(false);
	expect(ours()).toHaveLength(1);
});
