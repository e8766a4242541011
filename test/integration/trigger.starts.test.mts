import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { deriveInnerSecret, submittedForm } from '../../nodes/Argyle/api/delivery';
import * as limits from '../../nodes/Argyle/trigger/state/limits';
import { PROCESS_ID } from '../../nodes/Argyle/trigger/state/itemOrigin';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';
import { advance } from '../support/fakeTime.mts';
import { loadTriggerNode } from '../support/n8nCore/loadTriggerNode.mts';
import { processedValues } from '../support/n8nCore/processedValues.mts';
import { useWatchedTrigger } from '../support/n8nCore/watchedTrigger.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const OTHERS = { 'node:Counter': { count: 7 }, global: { list: [1, 2] } };

const { trigger, nextLook, looks, lookAfter, missForm, startAfter, startWatch, close, killAfterLook } =
	useWatchedTrigger();

const storeIsAway = async () => await Promise.reject(new Error('the database is locked'));

/** Delivers a form that is submitted now. */
async function deliverForm() {
	const { form, user } = trigger.service.storeForm({ createdAt: new Date(Date.now()).toISOString() });
	const data = { account: form.account, user, user_form: form.id };
	return { form: form.id, ...(await trigger.deliver(eventBody('user_forms.submitted', 'Forms', data))) };
}

async function watchAndClose(): Promise<void> {
	await startWatch();
	await nextLook();
	await close();
}

/** The forms of each execution that the trigger has started by itself. */
const executions = () => trigger.emitted.map(({ items }) => items.map(submittedForm));

describe('an execution that fails in the trigger', () => {
	it.each<[string, () => void, object]>([
		['', () => {}, { error: expect.any(Error) }],
		[
			', where n8n does not tell when it ends',
			() => (trigger.executions = 'are refused with a promise'),
			{ error: expect.any(Error) },
		],
		[
			', though n8n was told to continue',
			() => (trigger.continueOnFail = true),
			{ output: [{ error: expect.any(String) }] },
		],
		[', though a worker was killed with it', () => (trigger.executions = 'are killed elsewhere'), {}],
	])('leaves its form to be started again%s', async (_, prepare, outcome) => {
		await startAfter(HOUR);
		const form = missForm(5 * MINUTE);
		prepare();
		processedValues.onAccess = storeIsAway;
		await nextLook();
		expect(trigger.emitted).toMatchObject([outcome]);
		processedValues.onAccess = async () => {};
		if (trigger.executions === 'are killed elsewhere') trigger.executions = 'run';
		await looks(2);
		expect(executions()).toEqual([[form], [form]]);
		expect(trigger.emitted[1]?.output).toMatchObject([{ data: { user_form: form } }]);
	});

	it('is tried again after half a minute, and then at the regular looks', async () => {
		await startAfter(HOUR);
		missForm(5 * MINUTE);
		processedValues.onAccess = storeIsAway;
		expect(await nextLook()).toBe(MINUTE / 2);
		for (let look = 0; look < 2; look++) expect(await nextLook()).toBeGreaterThan(4 * MINUTE);
		expect(trigger.emitted).toHaveLength(3);
	});

	it('leaves its form to be started again though it was delivered', async () => {
		await startAfter(HOUR);
		const { form, items = [] } = await deliverForm();
		processedValues.onAccess = storeIsAway;
		await expect(trigger.runExecute(items)).rejects.toThrow('n8n could not tell whether this event has started');
		processedValues.onAccess = async () => {};
		await looks(2);
		expect(trigger.startedForms()).toEqual([form]);
	});
});

it('a form whose execution n8n drops for its deduplication key is asked for with another one', async () => {
	await startAfter(HOUR);
	const form = missForm(5 * MINUTE);
	trigger.executions = 'are dropped';
	await looks(2);
	trigger.executions = 'run';
	await looks(2);
	expect(executions()).toEqual([[form], [form], [form]]);
	expect(new Set(trigger.emitted.map(({ deduplicationKey }) => deduplicationKey)).size).toBe(3);
	expect(trigger.emitted[2]?.output).toHaveLength(1);
});

describe('static data of other nodes', () => {
	it('is untouched by all that starts the workflow; the bookmark is saved by the call to the own URL alone', async () => {
		await lookAfter(HOUR);
		const closed = jest.spyOn(trigger, 'runWebhook').mockImplementation(async (_, response) => {
			response.status(502).json({});
			return { result: { noWebhookResponse: true }, staticData: {} };
		});
		const form = missForm(15 * MINUTE);
		trigger.staticData = { ...trigger.staticData, ...OTHERS };
		const before = trigger.staticData;
		await looks(3);
		expect(trigger.startedForms()).toEqual([form]);
		// With a bookmark that has moved meanwhile.
		for (const minutes of [4, 3]) {
			missForm(minutes * MINUTE);
			await nextLook();
		}
		expect(trigger.staticData).toBe(before);
		closed.mockRestore();
		await nextLook();
		expect(trigger.state.started).toHaveLength(2);
		expect(trigger.staticData).toMatchObject(OTHERS);
	});

	it('is untouched while the trigger checks for forms', async () => {
		trigger.parameters = { receiveBy: 'polling' };
		trigger.activationMode = 'update';
		await watchAndClose();
		await startAfter(HOUR);
		trigger.staticData = { ...trigger.staticData, ...OTHERS };
		const before = trigger.staticData;
		const forms: string[] = [];
		for (const minutes of [50, 30, 10, 2]) {
			forms.push(missForm(minutes * MINUTE));
			await nextLook();
		}
		expect(trigger.startedForms()).toEqual(forms);
		expect(trigger.staticData).toBe(before);
	});
});

describe('the call to the own URL', () => {
	async function ask(data: IDataObject) {
		const secret = deriveInnerSecret({ apiKeySecret: trigger.service.key.secret }, trigger.url);
		const { body } = await trigger.deliver(eventBody('n8n_nodes_argyle.received_events', 'Forms', data), { secret });
		return JSON.parse(body);
	}

	let bookmark = Date.parse('2026-01-01');

	/** Whether a question saves static data that was asked so long ago. */
	async function isSavedAfter(ms: number, process: string = PROCESS_ID): Promise<boolean> {
		const state = { ...trigger.state, bookmark: ++bookmark };
		const { isSaved } = await ask({ keys: [], state, process, at: Date.now() - ms });
		expect(trigger.state.bookmark === bookmark).toBe(isSaved);
		return isSaved;
	}

	it('saves nothing when the secret took so long to read that another node may have saved meanwhile', async () => {
		const { credential } = trigger;
		// It stands still, because this machine may take longer than the milliseconds that count.
		let now = Date.now();
		jest.spyOn(Date, 'now').mockImplementation(() => now);
		for (const [ms, isSaved] of [
			[19, true],
			[20, false],
		] as const) {
			now += 6 * MINUTE; // The credential is read anew.
			trigger.credential = { ...credential, toJSON: () => [(now += ms), credential][1] };
			expect(await isSavedAfter(0)).toBe(isSaved);
		}
	});

	it('saves at each look, however long n8n takes to read the credential', async () => {
		const { credential } = trigger;
		trigger.credential = { ...credential, toJSON: () => [advance(50), credential][1] };
		await lookAfter(HOUR);
		const saved = [trigger.state.lookedAt];
		for (let look = 0; look < 3; look++) {
			await nextLook();
			saved.push(trigger.state.lookedAt);
		}
		expect(new Set(saved).size).toBe(4);
	});

	it('saves nothing when it was on its way for a second, because n8n may have loaded static data long before it calls the node', async () => {
		expect([await isSavedAfter(900), await isSavedAfter(1_000)]).toEqual([true, false]);
		expect(await isSavedAfter(30_000, 'a process whose clock is another one')).toBe(true);
	});

	it('has the process that answers it start none of the forms later that are started now', async () => {
		trigger.webhookNode = loadTriggerNode();
		const [claimed, other] = [randomUUID(), randomUUID()];
		expect(await ask({ keys: [claimed, other], claimed: [claimed], at: Date.now() })).toMatchObject({ received: [] });
		const deliver = async (form: string) =>
			await trigger.deliver(eventBody('user_forms.submitted', 'Forms', { user_form: form }));
		expect(await deliver(claimed)).toMatchObject({ body: '{"message":"Already received"}', items: undefined });
		expect((await deliver(other)).items).toHaveLength(1);
	});
});

describe('forms that another process has received', () => {
	it('are looked at by one execution, of which those go on that have not started the workflow', async () => {
		await lookAfter(HOUR);
		trigger.webhookNode = loadTriggerNode();
		const delivered = [];
		for (let count = 0; count < 3; count++) {
			advance(1_000);
			delivered.push(await deliverForm());
		}
		advance(1_000);
		const missed = missForm();
		const main = trigger.node;
		trigger.restart();
		await trigger.runExecute(delivered[1]?.items ?? []);
		trigger.node = main;
		await looks(3);
		const forms = delivered.map(({ form }) => form);
		expect(executions()).toEqual([forms, [missed]]);
		expect(trigger.startedForms()).toEqual([forms[0], forms[2], missed]);
	});

	it('do not start the workflow again, if so many follow that the store may have forgotten them', async () => {
		const lower: { MAX_UNSAVED: number } = limits;
		jest.replaceProperty(lower, 'MAX_UNSAVED', 3);
		await startWatch();
		await nextLook();
		trigger.webhookNode = loadTriggerNode();
		const delivered = [];
		for (let count = 0; count < 5; count++) {
			advance(1_000);
			delivered.push(await deliverForm());
		}
		const [main, [, , known, ...killed]] = [trigger.node, delivered];
		trigger.restart();
		await trigger.runExecute(known?.items ?? []);
		trigger.node = main;
		for (let look = 0; look < 3; look++) await nextLook();
		expect(trigger.startedForms()).toEqual(killed.map(({ form }) => form));
	});

	it('are not those that n8n could not start yet: these have an execution each', async () => {
		await startAfter(HOUR);
		trigger.webhookNode = loadTriggerNode();
		const forms = [missForm(5 * MINUTE), missForm(4 * MINUTE)];
		trigger.executions = 'are not stored';
		await nextLook();
		trigger.executions = 'run';
		await nextLook();
		expect(executions()).toEqual(forms.map((form) => [form]));
	});
});

describe('a new beginning', () => {
	async function beginAnew(): Promise<void> {
		await close();
		await trigger.runHook('delete');
		advance(HOUR);
		trigger.activationMode = 'activate';
		await trigger.activate();
		await startWatch();
	}

	it.each([0, 3])(
		'starts the workflow with a form of the second in which it first looks, or %i later',
		async (late) => {
			await beginAnew();
			// Argyle's answers tell whole seconds, and take a while.
			const forms: string[] = [];
			const { requests } = trigger.service;
			const add = requests.push.bind(requests);
			jest.spyOn(requests, 'push').mockImplementation((...received) => {
				const path = received[0]?.path;
				if (forms.length === 0 && path === '/v2/webhooks') forms.push(missForm(-late * 1_000));
				if (path === '/v2/user-forms') advance(late * 1_000);
				return add(...received);
			});
			await looks(4);
			expect(forms).toHaveLength(1);
			expect(trigger.startedForms()).toEqual(forms);
		},
	);
});

describe('a form that is dated in the future', () => {
	it.each([true, false])('keeps no other from its start (it was there at the beginning: %p)', async (isFirst) => {
		const future = () => missForm(-60 * 24 * HOUR);
		if (isFirst) future();
		await startWatch();
		await nextLook();
		advance(HOUR);
		if (!isFirst) future();
		const forms = [missForm(10 * MINUTE), missForm(2 * MINUTE)];
		await looks(3);
		expect(trigger.startedForms()).toEqual(expect.arrayContaining(forms));
		await close();
		await startAfter(HOUR);
		const later = missForm(5 * MINUTE);
		await nextLook();
		expect(trigger.startedForms().filter((form) => [...forms, later].includes(String(form)))).toEqual([
			...forms,
			later,
		]);
	});
});

describe('a workflow that was moved to another n8n with its static data', () => {
	function moveToAnotherN8n(isAtNewAddress = true): void {
		if (isAtNewAddress) trigger.webhookBase = trigger.webhookBase.replace('localhost', '127.0.0.1');
		trigger.staticData['node:Node'] = { ...trigger.state, owner: 'another n8n' };
	}

	async function missFormAndMove(isAtNewAddress = true): Promise<void> {
		await close();
		advance(HOUR);
		missForm();
		advance(HOUR);
		moveToAnotherN8n(isAtNewAddress);
	}

	it.each([
		['polling', 'polling', false, true],
		['webhook', 'webhook', false, true],
		['webhook, and n8n is killed before it runs the executions of its first look', 'webhook', true, true],
		['webhook, at the address of the former one, whose subscription is still there', 'webhook', false, false],
	])('begins anew there (%s)', async (_, receiveBy, isKilled, isAtNewAddress) => {
		trigger.parameters = { receiveBy, events: ['user_forms.submitted'], options: {} };
		if (receiveBy === 'polling') await startWatch();
		await missFormAndMove(isAtNewAddress);
		// n8n says so when it has just started, and the workflow was published from the command line.
		await startAfter(0);
		if (isKilled) await killAfterLook();
		await nextLook();
		const later = missForm();
		await looks(4);
		expect(trigger.startedForms()).toEqual([later]);
	});

	it('begins anew there, though one of the lists can not be read at the first look', async () => {
		trigger.parameters = { events: ['user_forms.submitted', 'accounts.added'], options: {} };
		await missFormAndMove();
		trigger.service.addFault({ kind: 'status', status: 503, path: '/v2/user-forms', times: Infinity });
		await lookAfter(0);
		trigger.service.clearFaults();
		await looks(3);
		expect(trigger.startedForms()).toEqual([]);
	});
});

describe('a start of n8n that takes long publishes the trigger as after a change', () => {
	beforeEach(() => (trigger.uptime = 2 * MINUTE));

	it.each(['polling', 'webhook'])('and forms that were missed start the workflow (%s)', async (receiveBy) => {
		trigger.parameters = { receiveBy, events: ['user_forms.submitted'], options: {} };
		await watchAndClose();
		const missed = missForm();
		advance(HOUR);
		trigger.restart();
		trigger.activationMode = 'update';
		if (receiveBy === 'webhook') await trigger.activate();
		await startWatch();
		await looks(2);
		expect(trigger.startedForms()).toEqual([missed]);
	});

	it('and one that was added to the workflow shows its error', async () => {
		trigger.staticData = {};
		trigger.service.key = { id: 'another', secret: 'another' };
		trigger.restart();
		trigger.activationMode = 'update';
		await expect(trigger.activate()).rejects.toThrow('Argyle does not know this API key');
	});

	/** A form is missed while n8n is stopped; returns which forms start the workflow. */
	async function startsAfterRestart(missed = missForm()): Promise<string[]> {
		advance(HOUR);
		trigger.restart();
		trigger.activationMode = 'update';
		await trigger.activate();
		await startWatch();
		await nextLook();
		const later = missForm();
		await looks(4);
		const named = new Map([
			[missed, 'missed'],
			[later, 'later'],
		]);
		return trigger.startedForms().map((form) => named.get(form ?? '') ?? 'another');
	}

	const takeDown = async () => await trigger.runHook('delete');

	/** `happen` gets static data as they were before the trigger was watched. */
	it.each<[string, (before: IDataObject) => unknown, string[]]>([
		['one that was taken down before begins anew', takeDown, ['later']],
		[
			'one begins anew whose subscription was deleted at Argyle',
			() => trigger.service.subscriptions.clear(),
			['later'],
		],
		[
			'one that was taken down begins anew, though another trigger has saved its older copy',
			async (before) => {
				await takeDown();
				trigger.staticData = before;
			},
			['later'],
		],
		[
			'one that was published again goes on, though static data was set back to before',
			async () => {
				await takeDown();
				const takenDown = structuredClone(trigger.staticData);
				advance(HOUR);
				trigger.activationMode = 'update';
				await trigger.activate();
				await watchAndClose();
				trigger.staticData = takenDown;
			},
			['missed', 'later'],
		],
		[
			'one goes on whose address has changed, so that Argyle has no subscription to it, though no look saved static data',
			(before) => {
				trigger.staticData = before;
				trigger.webhookBase = `${trigger.webhookBase}/new`;
			},
			['missed', 'later'],
		],
	])('and %s', async (_, happen, started) => {
		const before = structuredClone(trigger.staticData);
		await watchAndClose();
		await happen(before);
		expect(await startsAfterRestart()).toEqual(started);
	});
});

describe('after a publish that failed, and a start of n8n, nothing runs that was missed before the publish', () => {
	const forms = { receiveBy: 'webhook', events: ['user_forms.submitted'], options: {} };

	/** n8n calls `trigger()` and the hooks, `delete` after a failure, and keeps what they wrote into static data. */
	async function failToPublish(activationMode: 'activate' | 'update') {
		trigger.activationMode = activationMode;
		trigger.service.addFault({ kind: 'status', status: 401, times: Infinity });
		if (trigger.parameters.receiveBy === 'webhook') {
			await expect(trigger.activate()).rejects.toThrow();
			await trigger.runHook('delete').catch(() => undefined);
			await startWatch();
		} else await expect(trigger.runTrigger()).rejects.toThrow();
		trigger.service.clearFaults();
	}

	async function startsAfterRestart() {
		advance(MINUTE);
		const later = missForm();
		await lookAfter(HOUR, 2);
		return trigger.startedForms().map((form) => (form === later ? 'later' : 'missed'));
	}

	it.each(['polling', 'webhook'])('while the workflow was not published (%s)', async (receiveBy) => {
		trigger.parameters = { ...forms, receiveBy };
		await watchAndClose();
		await trigger.runHook('delete');
		advance(HOUR);
		missForm();
		advance(HOUR);
		await failToPublish('activate');
		// What was missed while the publish had failed is told.
		expect(await startsAfterRestart()).toEqual([]);
		expect(trigger.failedExecutions).toMatchObject([{ message: expect.stringContaining("n8n can't tell since when") }]);
	});
});
