import { randomUUID } from 'node:crypto';
import { type IDataObject, resolveWebhookDescriptionField } from 'n8n-workflow';
import * as limits from '../../nodes/Argyle/trigger/state/limits';
import { FIRST_LOOK_MS } from '../../nodes/Argyle/trigger/state/timing';
import { clock } from '../../nodes/Argyle/utils/clock';
import { advance } from '../support/fakeTime.mts';
import { createWorkflow, failure } from '../support/n8nCore/n8nContext.mts';
import { useWatchedTrigger } from '../support/n8nCore/watchedTrigger.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const { trigger, nextLook, missForm, startAfter, startWatch, close } = useWatchedTrigger({ isPublished: false });

beforeEach(() => {
	trigger.parameters = { receiveBy: 'polling' };
});

const requests = () => trigger.service.requests.map(({ method, path }) => `${method} ${path}`);

/** Submits a form a second later, and looks for it. Returns its ID. */
async function submitAndLook(): Promise<string> {
	advance(1_000);
	const id = missForm();
	await nextLook();
	return id;
}

/** Publishes as n8n does, a minute after what happened before. */
async function publish(mode: 'activate' | 'update' = 'activate'): Promise<void> {
	advance(MINUTE);
	trigger.activationMode = mode;
	await startWatch();
}

async function runExecutions(): Promise<IDataObject[]> {
	await trigger.untilExecuted();
	return trigger.emitted.splice(0).flatMap(({ output }) => output ?? []);
}

describe('Checking for Events', () => {
	it('starts the workflow once for each form submitted since it was published, within a minute', async () => {
		missForm();
		await publish();
		advance(1_000);
		const first = missForm();
		expect(await nextLook()).toBe(MINUTE);
		expect(trigger.startedForms()).toEqual([first]);
		const second = missForm();
		expect(await nextLook()).toBe(MINUTE);
		await nextLook();
		expect(trigger.startedForms()).toEqual([first, second]);
	});

	it("starts the workflow for a form after the publish, where Argyle's answers are dated 1.5 s ahead", async () => {
		trigger.service.clockOffsetMs = 1_500;
		advance(1_000 - (Date.now() % 1_000));
		await publish();
		advance(400);
		const id = missForm();
		await nextLook();
		expect(trigger.startedForms()).toEqual([id]);
	});

	it("starts the workflow for a form of the first look's moment, where Argyle's answers are dated 1.5 s behind", async () => {
		trigger.service.clockOffsetMs = -1_500;
		await publish();
		const createdAt = new Date(Date.now() + FIRST_LOOK_MS).toISOString();
		const { id } = trigger.service.storeForm({ createdAt }).form;
		await nextLook();
		expect(trigger.startedForms()).toEqual([id]);
	});

	it('finds without a public address what happens from the login to the report', async () => {
		const events = ['accounts.connected', 'accounts.connection_lost', 'reports.generated', 'verifications.updated'];
		trigger.parameters = { receiveBy: 'polling', events };
		const now = () => new Date(Date.now()).toISOString();
		const old = { created_at: '2026-01-01T00:00:00.000Z', connection: { status: 'connecting' } };
		const account = trigger.addRecord('accounts', old);
		const verification = trigger.addRecord('verifications', { status: { state: 'PENDING' } });
		await publish();
		const report = trigger.addRecord('reports', { status: 'generating' });
		const steps = [
			() => Object.assign(account, { connection: { status: 'connected', updated_at: now() } }),
			() => Object.assign(report, { status: 'generated' }),
			() => Object.assign(verification, { status: { state: 'CANCELLED' }, updated_at: now() }),
			() => Object.assign(account, { connection: { status: 'error', error_code: 'auth_required', updated_at: now() } }),
		];
		for (const step of steps) {
			advance(1_000);
			step();
			expect(await nextLook()).toBe(MINUTE);
		}
		await nextLook();
		expect(
			(await runExecutions()).map(({ event, data }) => [event, Object(data).status ?? Object(data).error_message]),
		).toEqual([
			['accounts.connected', undefined],
			['reports.generated', 'generated'],
			['verifications.updated', 'CANCELLED'],
			['accounts.connection_lost', 'auth required'],
		]);
	});

	it('registers no webhook subscription, and asks for one page of forms a minute', async () => {
		await publish();
		await nextLook();
		await nextLook();
		expect(requests()).toEqual(Array.from({ length: 3 }, () => 'GET /v2/user-forms'));
		expect(trigger.allSubscriptions()).toEqual([]);
	});

	it('goes on where it was when a changed trigger is published, and begins anew after an unpublish', async () => {
		await publish();
		await close();
		advance(MINUTE);
		const meanwhile = missForm();
		await publish('update');
		await nextLook();
		expect(trigger.startedForms()).toEqual([meanwhile]);
		await close();
		advance(HOUR);
		missForm();
		await publish('activate');
		await nextLook();
		expect(trigger.startedForms()).toEqual([meanwhile]);
		const later = await submitAndLook();
		expect(trigger.startedForms()).toEqual([meanwhile, later]);
	});

	it('starts the workflow for a form of just before a publish that adds an event', async () => {
		await publish();
		await nextLook();
		const id = missForm();
		await close();
		trigger.parameters = { receiveBy: 'polling', events: ['user_forms.submitted', 'user_uploads.added'] };
		await publish('update');
		await nextLook();
		expect(trigger.startedForms()).toEqual([id]);
	});

	it('starts nothing of before when the trigger had other events delivered until then', async () => {
		trigger.parameters = { receiveBy: 'webhook', events: ['accounts.connected'], options: {} };
		await trigger.activate();
		advance(HOUR);
		missForm();
		trigger.parameters = { receiveBy: 'polling' };
		trigger.activationMode = 'update';
		await trigger.runHook('delete');
		await publish('update');
		await nextLook();
		expect(trigger.startedForms()).toEqual([]);
		const later = await submitAndLook();
		advance(MINUTE);
		await nextLook();
		expect(trigger.startedForms()).toEqual([later]);
	});

	it('waits for no delivery once those of its former subscription have come', async () => {
		trigger.parameters = { receiveBy: 'webhook', events: ['user_forms.submitted'], options: {} };
		await trigger.activate();
		await trigger.runHook('delete');
		trigger.parameters = { receiveBy: 'polling' };
		await publish('update');
		const early = await submitAndLook();
		expect(trigger.startedForms()).toEqual([]);
		advance(MINUTE);
		await nextLook();
		expect(trigger.startedForms()).toEqual([early]);
		const later = await submitAndLook();
		expect(trigger.startedForms()).toEqual([early, later]);
	});

	it('goes on where it was when the trigger had forms delivered until then, and back again', async () => {
		trigger.parameters = { receiveBy: 'webhook', events: ['user_forms.submitted'], options: {} };
		await trigger.activate();
		advance(HOUR);
		const first = missForm();
		await trigger.runHook('delete');
		trigger.parameters = { receiveBy: 'polling' };
		await publish('update');
		await nextLook();
		expect(trigger.startedForms()).toEqual([first]);
		await close();
		const second = missForm();
		advance(2 * MINUTE);
		trigger.parameters = { receiveBy: 'webhook', events: ['user_forms.submitted'], options: {} };
		await trigger.activate();
		await publish('update');
		await nextLook();
		expect(trigger.startedForms()).toEqual([first, second]);
	});

	it('starts the workflow for more than a thousand forms, though calls to its own URL saved the bookmark before', async () => {
		const lower: { MAX_UNSAVED: number } = limits;
		jest.replaceProperty(lower, 'MAX_UNSAVED', 3);
		trigger.parameters = { receiveBy: 'webhook', events: ['user_forms.submitted'], options: {} };
		await trigger.activate();
		await publish('update');
		await nextLook();
		await close();
		await trigger.runHook('delete');
		trigger.parameters = { receiveBy: 'polling' };
		await publish('update');
		advance(2 * MINUTE);
		const forms = [];
		for (let count = 0; count < 8; count++) forms.push(await submitAndLook());
		expect(trigger.startedForms()).toEqual(forms);
	});

	it('starts the workflow for more than a thousand forms in queue mode, where no process can save the bookmark', async () => {
		const lower: { MAX_UNSAVED: number } = limits;
		jest.replaceProperty(lower, 'MAX_UNSAVED', 3);
		await publish();
		trigger.executions = 'run elsewhere';
		const forms = [];
		for (let count = 0; count < 8; count++) forms.push(await submitAndLook());
		expect(trigger.startedForms().filter((form) => form !== undefined)).toEqual(forms);
	});

	it('checks in one execution after a start of n8n all forms that ran before, and starts one for each that it missed', async () => {
		await publish();
		await nextLook();
		const ran: string[] = [];
		for (let count = 0; count < 250; count++) ran.push(missForm(-count));
		advance(1_000);
		await nextLook();
		expect(trigger.startedForms()).toEqual(ran);
		const missed = [missForm(-10_000), missForm(-11_000)];
		advance(MINUTE);
		trigger.emitted.length = 0;
		await startAfter(0);
		for (let look = 0; look < 4; look++) await nextLook();
		expect(trigger.startedForms()).toEqual(missed);
		expect(trigger.emitted.map(({ items }) => items.length)).toEqual([1, 1, 250]);
	});

	async function failToPublish(mode: 'activate' | 'update', wrong: object): Promise<void> {
		const { credential } = trigger;
		Object.assign(trigger, { activationMode: mode, credential: { ...credential, ...wrong } });
		await failure(trigger.runTrigger());
		trigger.credential = credential;
	}

	it.each<[string, (submit: () => void) => unknown, boolean]>([
		['starts nothing of the time in which it was disabled', (submit) => submit(), false],
		[
			'starts nothing of the time in which it was disabled, though n8n restarted meanwhile',
			(submit) => {
				submit();
				trigger.restart();
			},
			false,
		],
		[
			'goes on where it was if Argyle was away when a changed version was published',
			async (submit) => {
				trigger.service.addFault({ kind: 'status', status: 503, times: Infinity });
				await publish('update');
				trigger.service.clearFaults();
				advance(HOUR);
				submit();
			},
			true,
		],
		[
			'starts nothing of before when a publish after an unpublish fails at first',
			async (submit) => {
				submit();
				await failToPublish('activate', { apiKeySecret: 'wrong' });
			},
			false,
		],
	])('%s', async (_, happen, isKept) => {
		await publish();
		await nextLook();
		await close();
		const meanwhile: string[] = [];
		if (!isKept) advance(HOUR);
		await happen(() => meanwhile.push(missForm()));
		await publish('update');
		await nextLook();
		const later = await submitAndLook();
		expect(trigger.startedForms()).toEqual([...(isKept ? meanwhile : []), later]);
	});

	/** Starts n8n with another key, after a form was submitted. */
	async function startWithAnotherKey(): Promise<string> {
		advance(HOUR);
		const meanwhile = missForm();
		trigger.useAnotherKey();
		advance(MINUTE);
		await startAfter(0);
		await nextLook();
		return meanwhile;
	}

	it.each([true, false])('tells another account (%p) from another key when n8n starts again', async (isOther) => {
		missForm();
		await publish();
		await close();
		if (isOther) trigger.service.userForms.clear();
		const meanwhile = await startWithAnotherKey();
		expect(trigger.startedForms()).toEqual(isOther ? [] : [meanwhile]);
	});

	it('knows the account by an event that is no longer chosen when n8n starts again with another key', async () => {
		trigger.service.userForms.clear();
		trigger.parameters = { receiveBy: 'polling', events: ['user_forms.submitted', 'user_uploads.added'] };
		await publish();
		advance(1_000);
		trigger.addRecord('user-uploads');
		await nextLook();
		expect(await runExecutions()).toHaveLength(1);
		await close();
		trigger.parameters = { receiveBy: 'polling', events: ['user_forms.submitted'] };
		await publish('update');
		const meanwhile = await startWithAnotherKey();
		expect(trigger.startedForms()).toEqual([meanwhile]);
	});

	it('fails to be published with a wrong key, in words that say what to do', async () => {
		trigger.credential = { ...trigger.credential, apiKeySecret: 'wrong' };
		const { message } = await failure(trigger.runTrigger());
		expect(message).toMatch(/^Authorization failed.* When that is done, publish the workflow again\.$/s);
	});

	it('starts with n8n though Argyle is away, and finds the forms once it is back', async () => {
		await publish();
		advance(HOUR);
		const missed = missForm();
		trigger.service.addFault({ kind: 'status', status: 503, headers: { 'Retry-After': '20' } });
		await startAfter(0);
		expect(await nextLook()).toBe(30_000);
		await nextLook();
		expect(trigger.startedForms()).toEqual([missed]);
	});
});

it.each([
	['webhook', 'POST'],
	['polling', ''],
])('n8n finds the webhook method for Receive By "%s" with and without an expression: "%s"', (receiveBy, method) => {
	const { workflow, node } = createWorkflow(trigger.node, { parameters: { receiveBy } });
	const [webhook] = trigger.node.description.webhooks ?? [];
	if (webhook === undefined) throw new Error('the trigger has no webhook');
	expect(resolveWebhookDescriptionField(node, webhook, 'httpMethod')).toEqual({ resolved: true, value: method });
	expect(workflow.expression.getSimpleParameterValue(node, webhook.httpMethod, 'internal', {})).toBe(method);
});

describe('a test of Checking for Events', () => {
	const runTest = async () => await trigger.runExecute([{ json: {} }], 'manual');

	it.each(['newestFirst', 'oldestFirst'] as const)('brings the newest form of a list that is %s', async (listOrder) => {
		Object.assign(trigger.service, { listOrder });
		missForm();
		advance(HOUR);
		const { form, user } = trigger.service.storeForm({ createdAt: new Date(Date.now()).toISOString() });
		expect(await runTest()).toEqual([
			{
				json: {
					event: 'user_forms.submitted',
					name: 'n8n – Forms to CRM',
					data: { account: form.account, user, user_form: form.id },
					reconstructed: true,
					userForm: form,
				},
			},
		]);
	});

	function addAccount(status: string) {
		const at = new Date(Date.now()).toISOString();
		const connection = { status, updated_at: at, error_code: 'invalid_credentials' };
		return trigger.addRecord('accounts', { scanned_at: at, connection });
	}

	it('brings the newest of the chosen events, though another event of the same list is newer', async () => {
		trigger.parameters = { receiveBy: 'polling', events: ['accounts.connection_lost'] };
		const account = addAccount('error').id;
		advance(HOUR);
		addAccount('connected');
		expect(await runTest()).toMatchObject([{ json: { event: 'accounts.connection_lost', data: { account } } }]);
	});

	it('brings a sample that does not say that there is no such event, where an older account may have one', async () => {
		trigger.parameters = { receiveBy: 'polling', events: ['accounts.connection_lost'] };
		addAccount('error');
		for (let count = 0; count < 200; count++) {
			advance(MINUTE);
			addAccount('connected');
		}
		const event = 'accounts.connection_lost';
		const sample = { event, name: 'SAMPLE – no such event was found', reconstructed: true };
		expect(await runTest()).toMatchObject([{ json: sample }]);
	});

	it('brings a sample that says it is one where the account has no form', async () => {
		trigger.service.userForms.clear();
		const [item] = await runTest();
		expect(item?.json).toMatchObject({
			event: 'user_forms.submitted',
			name: expect.stringMatching(/^SAMPLE/),
			data: { account: expect.any(String), user: expect.any(String), user_form: expect.any(String) },
			userForm: { data: { income_source: expect.any(String), payroll_provider: expect.any(String) } },
		});
		expect(item?.json).not.toHaveProperty('user');
		trigger.parameters = { receiveBy: 'polling', includeUserForm: false, options: { includeUser: true } };
		const [other] = await runTest();
		expect(other?.json).not.toHaveProperty('userForm');
		expect(other?.json).toHaveProperty('user.first_name', 'Sam');
	});

	it('refuses an expression for Include User Form that gives neither true nor false', async () => {
		trigger.parameters = { receiveBy: 'polling', includeUserForm: '={{ "perhaps" }}' };
		expect((await failure(runTest())).message).toContain('Include User Form is neither on nor off');
	});

	it('says what to do about a wrong key', async () => {
		trigger.credential = { ...trigger.credential, apiKeySecret: 'wrong' };
		expect((await failure(runTest())).message).toMatch(/^Authorization failed/);
	});

	it('leaves an item alone that was pinned or sent on', async () => {
		const data = { account: randomUUID(), user: randomUUID(), user_form: randomUUID() };
		const items = [{ json: { event: 'user_forms.submitted', data, userForm: null } }, { json: {} }];
		expect(await trigger.runExecute(items, 'manual')).toEqual(items);
		expect(await trigger.runExecute([{ json: {} }], 'trigger')).toEqual([{ json: {} }]);
		expect(requests()).toEqual([]);
	});

	it('leaves a trigger that has its events delivered alone', async () => {
		trigger.parameters = { receiveBy: 'webhook', events: ['user_forms.submitted'] };
		expect(await runTest()).toEqual([{ json: {} }]);
		expect(requests()).toEqual([]);
	});
});

describe('Checking for Events', () => {
	const addAccount = () => trigger.addRecord('accounts').id;

	it('starts the workflow for what was added after the publish, with one request for each list that is chosen', async () => {
		trigger.parameters = { ...trigger.parameters, events: ['accounts.added', 'user_uploads.added'] };
		addAccount();
		await publish();
		advance(1_000);
		const account = addAccount();
		missForm();
		trigger.service.requests.length = 0;
		await nextLook();
		expect(await runExecutions()).toMatchObject([{ event: 'accounts.added', data: { account } }]);
		const paths = trigger.service.requests.map(({ path }) => path);
		expect(paths).toEqual(['/v2/accounts', '/v2/user-uploads']);
	});

	it('finds what happened since the publish that chose it, though a look of before was about to begin', async () => {
		trigger.parameters = { receiveBy: 'polling', events: ['user_forms.submitted'] };
		await publish();
		await nextLook();
		const account = await new Promise((resolve) => {
			jest.mocked(clock.pause).mockImplementationOnce(async () => {
				await close();
				trigger.parameters = { ...trigger.parameters, events: ['user_forms.submitted', 'accounts.added'] };
				await publish('update');
				advance(1_000);
				resolve(addAccount());
			});
			void nextLook();
		});
		await new Promise((resolve) => setImmediate(resolve));
		await nextLook();
		expect(await runExecutions()).toMatchObject([{ event: 'accounts.added', data: { account } }]);
	});

	it.each<[string, string[], string]>([
		['no event', [], 'No event is chosen'],
		['an event that no list shows', ['accounts.updated'], "Checking for Events can't find the event accounts.updated"],
	])('publishing with %s is refused', async (_, events, message) => {
		trigger.parameters = { ...trigger.parameters, events };
		const { message: words } = await failure(publish());
		expect(words).toContain(message);
		expect(trigger.service.requests).toEqual([]);
	});
});
