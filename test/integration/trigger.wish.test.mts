import { allBut } from '../support/fakeArgyle/assumed.mts';
import { advance } from '../support/fakeTime.mts';
import { isJson } from '../support/json.mts';
import { useWatchedTrigger } from '../support/n8nCore/watchedTrigger.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const IN_2036 = Date.parse('2036-01-01');

const { trigger, startWatch, close, looks, nextLook, publish, missForm, lookAfter, startAfter } = useWatchedTrigger();

/** n8n calls the hooks and `trigger()` side by side, `trigger()` first. Before 2.40, it calls the hooks first. */
type Order = 'side by side' | 'hooks first';

/** n8n takes the trigger down, and a person, or a script, publishes it again after so long. */
async function publishAfter(
	ms: number,
	mode: 'activate' | 'update',
	parameters: object = {},
	order: Order = 'side by side',
): Promise<void> {
	// While the trigger checks for events, n8n has no webhook of it.
	const hasHooks = () => trigger.parameters.receiveBy !== 'polling';
	await close();
	if (hasHooks()) await trigger.runHook('delete');
	advance(ms);
	trigger.activationMode = mode;
	trigger.parameters = { ...trigger.parameters, ...parameters };
	if (hasHooks() && order === 'hooks first') await trigger.activate();
	const watch = startWatch();
	if (hasHooks() && order === 'side by side') await trigger.activate();
	await watch;
}

/** As `publishAfter`, until a look has found what was missed. */
async function lookAfterPublish(ms: number, mode: 'activate' | 'update', parameters?: object): Promise<void> {
	await publishAfter(ms, mode, parameters);
	advance(2 * MINUTE);
	await looks(2);
}

const told = () => trigger.failedExecutions.map(({ message }) => message);
const GAP =
	/^Events (before|between) .*may not have started this workflow, because n8n can't tell since when they count/;

describe('what is published again', () => {
	beforeEach(async () => {
		await startWatch();
		await nextLook();
	});

	it.each(['activate', 'update'] as const)(
		'goes on within five minutes, whatever n8n calls it (%s): a form that did not arrive starts the workflow',
		async (mode) => {
			const before = missForm();
			advance(2_000);
			await lookAfterPublish(3_000, mode);
			expect(trigger.startedForms()).toEqual([before]);
		},
	);

	it.each<['activate' | 'update', Order]>([
		['activate', 'side by side'],
		['update', 'side by side'],
		['activate', 'hooks first'],
	])(
		'begins anew after more than five minutes (%s, %s): what came before does not start the workflow',
		async (mode, order) => {
			missForm();
			await publishAfter(6 * MINUTE, mode, {}, order);
			advance(10);
			const after = missForm();
			advance(2 * MINUTE);
			await looks(2);
			expect(trigger.startedForms()).toEqual([after]);
			expect(trigger.failedExecutions).toEqual([]);
		},
	);

	it('begins anew though its subscription could not be removed, and replaces it', async () => {
		const [left] = trigger.ownSubscriptions();
		await close();
		trigger.service.addFault({ kind: 'status', status: 403, method: 'DELETE' });
		await trigger.runHook('delete').catch(() => undefined);
		missForm();
		advance(HOUR);
		await trigger.activate();
		await startWatch();
		advance(2 * MINUTE);
		await looks(2);
		expect(trigger.startedForms()).toEqual([]);
		expect(trigger.ownSubscriptions().map(({ id }) => id)).not.toContain(left?.id);
		expect(trigger.ownSubscriptions()).toHaveLength(1);
	});

	it('counts an event that the publish adds from then on', async () => {
		const owner = { status: { state: 'COMPLETED' } };
		trigger.addRecord('user-uploads');
		await publishAfter(2_000, 'update', { events: ['user_forms.submitted', 'user_uploads.added'] });
		advance(10);
		const { id } = trigger.addRecord('user-uploads', owner);
		const form = missForm();
		advance(2 * MINUTE);
		await looks(2);
		expect(trigger.started().map(({ data }) => data)).toMatchObject(
			expect.arrayContaining([
				expect.objectContaining({ user_upload: id }),
				expect.objectContaining({ user_form: form }),
			]),
		);
		expect(trigger.started()).toHaveLength(2);
	});

	it('begins anew in another account', async () => {
		const other = missForm();
		trigger.useAnotherKey();
		await lookAfterPublish(2_000, 'update');
		expect([other, ...trigger.startedForms()]).toEqual([other]);
	});

	it('goes on with another key of the account, which shows a form that the trigger knows', async () => {
		const known = missForm();
		advance(2 * MINUTE);
		await looks(2);
		trigger.useAnotherKey();
		const before = missForm();
		await lookAfterPublish(0, 'update');
		expect(trigger.startedForms()).toEqual([known, before]);
	});
});

describe('after a start of n8n', () => {
	it('what was missed meanwhile starts the workflow, whatever another trigger has made of static data', async () => {
		await startWatch();
		await nextLook();
		const { staticData } = trigger;
		await publishAfter(6 * MINUTE, 'activate');
		await nextLook();
		trigger.staticData = staticData;
		const missed = missForm();
		await lookAfter(10 * MINUTE);
		expect(trigger.startedForms()).toEqual([missed]);
	});

	it('a change that is published before the first look keeps what was missed', async () => {
		const missed = missForm();
		await startAfter(10 * MINUTE);
		await publishAfter(0, 'update');
		await looks(2);
		expect(trigger.startedForms()).toEqual([missed]);
	});

	it('a trigger that a long start of n8n publishes as a change goes on, and asks for nothing in a hook', async () => {
		const missed = missForm();
		await close();
		advance(10 * MINUTE);
		trigger.restart();
		Object.assign(trigger, { activationMode: 'update', uptime: 4 * MINUTE });
		trigger.service.requests.length = 0;
		expect(await trigger.runHook('checkExists')).toBe(true);
		expect(trigger.service.requests).toEqual([]);
		await startWatch();
		await nextLook();
		expect(trigger.startedForms()).toEqual([missed]);
	});

	it('a subscription that was deleted meanwhile is told, with the operations that show what is missing', async () => {
		await startWatch();
		await nextLook();
		missForm();
		trigger.service.subscriptions.clear();
		await lookAfter(10 * MINUTE);
		expect(told()).toEqual([expect.stringMatching(GAP)]);
		expect(trigger.failedExecutions[0]).toMatchObject({ description: expect.stringContaining('User Form: Get Many') });
		const after = missForm();
		advance(2 * MINUTE);
		await looks(2);
		expect([trigger.startedForms(), trigger.ownSubscriptions().length]).toEqual([[after], 1]);
	});

	it('of two subscriptions to its address the newer one says since when events count', async () => {
		const [own] = trigger.ownSubscriptions();
		const id = '5e1f1c1e-0000-4000-8000-00000000000a';
		trigger.service.subscriptions.set(id, { ...own, id, created_at: new Date(Date.now() - HOUR).toISOString() });
		trigger.staticData = {};
		missForm(HOUR / 2);
		const missed = missForm();
		await lookAfter(10 * MINUTE);
		expect(trigger.startedForms()).toEqual([missed]);
	});

	it('at a new address, what was missed starts the workflow', async () => {
		const missed = missForm();
		await close();
		trigger.webhookBase = trigger.webhookBase.replace('/webhook', '-moved/webhook');
		await lookAfter(10 * MINUTE);
		expect([trigger.startedForms(), told()]).toEqual([[missed], []]);
	});

	it('another n8n at the same address begins anew, with a subscription of its own', async () => {
		const [theirs] = trigger.ownSubscriptions();
		missForm();
		const { 'node:Node': state } = trigger.staticData;
		trigger.staticData = { 'node:Node': { ...(isJson(state) ? state : {}), owner: 'another' } };
		await lookAfter(10 * MINUTE);
		expect(trigger.ownSubscriptions()).toHaveLength(1);
		expect(trigger.ownSubscriptions()[0]?.id).not.toBe(theirs?.id);
		expect([trigger.startedForms(), told()]).toEqual([[], []]);
	});

	it.each([{ bookmark: IN_2036 }, { since: { 'user_forms.submitted': IN_2036 } }])(
		'a time of 2036 in static data ends nothing: %j',
		async (planted) => {
			const { 'node:Node': state } = trigger.staticData;
			trigger.staticData = { 'node:Node': { ...(isJson(state) ? state : {}), ...planted } };
			const missed = missForm();
			await lookAfter(10 * MINUTE);
			expect(trigger.startedForms()).toEqual([missed]);
		},
	);

	it('a key that was replaced meanwhile changes nothing: the account has the subscription', async () => {
		const missed = missForm();
		trigger.useAnotherKey();
		await lookAfter(10 * MINUTE);
		expect([trigger.startedForms(), told()]).toEqual([[missed], []]);
	});
});

it('a subscription that is deleted while n8n runs is made again, and no form is lost', async () => {
	await startWatch();
	await nextLook();
	trigger.service.subscriptions.clear();
	const missed = missForm();
	advance(2 * MINUTE);
	await looks(2);
	expect([trigger.startedForms(), trigger.ownSubscriptions().length, told()]).toEqual([[missed], 1, []]);
});

it('if Argyle does not say when it created the subscription, deliveries start the workflow, and a person is told', async () => {
	Object.assign(trigger.service.assumed, allBut('creationTimeOfWebhook'));
	await publishAfter(6 * MINUTE, 'activate');
	const registered = trigger.ownSubscriptions();
	missForm();
	await looks(2);
	advance(16 * MINUTE);
	await looks(2);
	expect(told()).toEqual([expect.stringContaining('Argyle does not say when it created the webhook subscription')]);
	expect([trigger.startedForms(), trigger.ownSubscriptions()]).toEqual([[], registered]);
});

it('a verification that was completed before the publish does not start the workflow when it is changed later', async () => {
	const times = { created_at: new Date(Date.now() - HOUR).toISOString() };
	const done = trigger.addRecord('verifications', {
		...times,
		updated_at: times.created_at,
		status: { state: 'COMPLETED' },
	});
	const open = trigger.addRecord('verifications', {
		...times,
		updated_at: times.created_at,
		status: { state: 'PENDING' },
	});
	advance(10 * MINUTE);
	await publish({ events: ['verifications.updated'] });
	await startWatch();
	await nextLook();
	advance(10 * MINUTE);
	for (const record of [done, open]) record.updated_at = new Date(Date.now()).toISOString();
	Object.assign(open, { status: { state: 'COMPLETED' } });
	advance(2 * MINUTE);
	await looks(2);
	expect(trigger.started().map(({ data }) => (isJson(data) ? data.verification : data))).toEqual([open.id]);
});

it('the account that a form or a document makes is none that was added', async () => {
	await publish({ events: ['accounts.added'] }, 'update');
	await startWatch();
	await nextLook();
	trigger.addRecord('accounts', { source: 'doc_upload_item' });
	trigger.addRecord('accounts', { availability: { user_forms: { status: 'synced' } } });
	const { id } = trigger.addRecord('accounts', { availability: { user_forms: null } });
	advance(2 * MINUTE);
	await looks(2);
	expect(trigger.started()).toMatchObject([{ event: 'accounts.added', data: { account: id } }]);
});

describe('with Checking for Events', () => {
	beforeEach(async () => {
		await publishAfter(6 * MINUTE, 'activate', { receiveBy: 'polling' });
		await nextLook();
	});

	it('what was missed while n8n was stopped starts the workflow', async () => {
		const missed = missForm();
		await lookAfter(10 * MINUTE);
		expect([trigger.startedForms(), told()]).toEqual([[missed], []]);
	});

	it('static data that is gone is told, and the trigger begins anew', async () => {
		missForm();
		trigger.staticData = {};
		await lookAfter(10 * MINUTE);
		expect([trigger.startedForms(), told()]).toEqual([[], [expect.stringMatching(GAP)]]);
	});

	it('can be published if one of its lists is refused, and not if all are', async () => {
		trigger.service.addFault({ kind: 'status', status: 403, path: '/v2/verifications', times: Infinity });
		await publishAfter(6 * MINUTE, 'activate', { events: ['user_forms.submitted', 'verifications.updated'] });
		advance(10);
		const form = missForm();
		await nextLook();
		expect(trigger.startedForms()).toEqual([form]);
		trigger.service.addFault({ kind: 'status', status: 403, path: '/v2/user-forms', times: Infinity });
		await expect(publishAfter(6 * MINUTE, 'activate')).rejects.toThrow('not allowed');
	});
});
