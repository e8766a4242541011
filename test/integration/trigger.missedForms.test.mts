import { randomUUID } from 'node:crypto';
import { submittedForm } from '../../nodes/Argyle/api/delivery';
import { advance } from '../support/fakeTime.mts';
import { useWatchedTrigger } from '../support/n8nCore/watchedTrigger.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const { trigger, nextLook, looks, lookAfter, missForm, startAfter, startWatch, close, publish, killAfterLook } =
	useWatchedTrigger();

/** How many pages of forms a look reads. */
async function pagesOfLook(): Promise<number> {
	trigger.service.requests.length = 0;
	await nextLook();
	return trigger.service.requests.filter(({ path }) => path === '/v2/user-forms').length;
}

it('forms that were submitted while n8n was stopped start the workflow, the oldest first', async () => {
	advance(MINUTE);
	const forms = [missForm(), missForm(1_000), missForm(2_000)].reverse();
	await lookAfter(10 * MINUTE);
	expect(trigger.startedForms()).toEqual(forms);
	expect(await nextLook()).toBeGreaterThan(4 * MINUTE);
	expect(trigger.emitted).toHaveLength(3);
});

it("a missed form of the publish's second starts the workflow where Argyle's times have whole seconds", async () => {
	advance(MINUTE + 300 - (Date.now() % 1_000));
	await publish({});
	const createdAt = new Date(Date.now() - 300).toISOString().replace('.000Z', 'Z');
	const { id } = trigger.service.storeForm({ createdAt }).form;
	await lookAfter(10 * MINUTE);
	expect(trigger.startedForms()).toEqual([id]);
});

it.each([false, true])(
	'the item of a missed form is that of a delivered one, with its record where Include User Form is on: %p',
	async (includeUserForm) => {
		trigger.parameters = { ...trigger.parameters, includeUserForm };
		advance(MINUTE);
		const { form, user } = trigger.service.storeForm({ createdAt: new Date(Date.now()).toISOString() });
		await lookAfter(10 * MINUTE);
		expect(trigger.started()).toEqual([
			{
				event: 'user_forms.submitted',
				name: 'n8n – Forms to CRM',
				data: { account: form.account, user, user_form: form.id },
				reconstructed: true,
				...(includeUserForm && { userForm: form }),
			},
		]);
		expect(trigger.service.requests.filter(({ path }) => path.includes(form.id))).toEqual([]);
	},
);

it.each([500, 403])(
	'an account that Argyle answers with %i holds up no form of others, and its own starts with the reason',
	async (status) => {
		advance(MINUTE);
		const broken = trigger.service.storeForm({ createdAt: new Date(Date.now() - 5_000).toISOString() }).form;
		const forms = [broken.id, ...Array.from({ length: 5 }, (_, index) => missForm(4_000 - index))];
		trigger.service.addFault({ kind: 'status', status, path: `/v2/accounts/${broken.account}`, times: Infinity });
		await lookAfter(10 * MINUTE);
		expect(trigger.startedForms()).toEqual(forms);
		const [first, ...others] = trigger.emitted.map(({ output }) => output?.[0] ?? {});
		expect(first).toMatchObject({ data: { user: null }, userError: expect.stringMatching(/Argyle/) });
		for (const other of others) expect(other).toMatchObject({ data: { user: expect.any(String) } });
		await nextLook();
		expect(trigger.emitted).toHaveLength(6);
	},
);

it('what executions could not find out for an hour becomes a failed execution, once a day', async () => {
	await lookAfter(10 * MINUTE);
	trigger.service.addFault({ kind: 'status', status: 500, path: /accounts/, times: Infinity });
	for (let minute = 0; minute < 55; minute += 5) {
		missForm(3 * MINUTE);
		await nextLook();
		advance(4 * MINUTE);
	}
	expect(trigger.failedExecutions).toEqual([]);
	for (let look = 0; look < 10; look++) {
		missForm(3 * MINUTE);
		await nextLook();
	}
	expect(trigger.failedExecutions.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^Events start this workflow without user or userForm: Argyle is not/),
	]);
});

it('one form whose account is gone starts without a user, and makes no failed execution, however long no other comes', async () => {
	await lookAfter(10 * MINUTE);
	missForm(3 * MINUTE);
	trigger.service.accounts.clear();
	await looks(30);
	expect(trigger.started()).toMatchObject([{ data: { user: null }, userError: expect.any(String) }]);
	expect(trigger.failedExecutions).toEqual([]);
});

it('a form that starts complete ends the trouble of those before', async () => {
	await lookAfter(10 * MINUTE);
	trigger.service.addFault({ kind: 'status', status: 403, path: /accounts/ });
	missForm(3 * MINUTE);
	await nextLook();
	missForm(3 * MINUTE);
	await nextLook();
	await looks(6);
	expect(trigger.failedExecutions).toEqual([]);
});

it('missed forms start the workflow after the credential got another key of the same account', async () => {
	await lookAfter(HOUR);
	const missed = missForm(5 * MINUTE);
	trigger.useAnotherKey();
	await nextLook();
	expect(trigger.startedForms()).toEqual([missed]);
});

it.each([
	['', false],
	[', though n8n is killed before it runs the executions that find out', true],
])(
	'forms of the past do not start the workflow after the credential moved to another account%s',
	async (_, isKilled) => {
		await lookAfter(HOUR);
		trigger.useAnotherKey();
		trigger.service.subscriptions.clear();
		trigger.service.userForms.clear();
		missForm(5 * MINUTE);
		if (isKilled) await killAfterLook();
		await nextLook();
		await trigger.untilExecuted();
		expect(trigger.startedForms()).toEqual([]);
		expect(trigger.ownSubscriptions()).toHaveLength(1);
		advance(5 * MINUTE);
		const later = missForm(MINUTE);
		await lookAfter(5 * MINUTE);
		expect(trigger.startedForms()).toEqual([later]);
	},
);

it.each<[string, boolean]>([
	['another key of its account goes on where it was', true],
	['a key of another account begins anew', false],
])('a trigger that is published with %s', async (_, isSameAccount) => {
	advance(2 * HOUR);
	for (let count = 0; count < 210; count++) missForm(HOUR + count * 1_000);
	const started = missForm(HOUR);
	await lookAfter(MINUTE);
	expect(trigger.startedForms()).toContain(started);
	await close();
	trigger.emitted.length = 0;
	await trigger.runHook('delete');
	if (!isSameAccount) trigger.service.userForms.clear();
	// More than a page after the last one that is known.
	const missed = Array.from({ length: 210 }, (__, index) => missForm(10 * MINUTE - index * 1_000));
	advance(MINUTE);
	trigger.useAnotherKey();
	trigger.activationMode = 'update';
	await trigger.activate();
	await startWatch();
	await nextLook();
	expect(trigger.startedForms()).toEqual(isSameAccount ? missed : []);
});

it('a missed event starts the workflow though another key, and a publish without forms, come before the next look', async () => {
	const publishAndWatch = async (...events: string[]) => {
		await publish({ events }, 'update');
		await startWatch();
		advance(2 * MINUTE);
	};
	await publishAndWatch('user_forms.submitted', 'user_uploads.added');
	const form = missForm(MINUTE);
	await nextLook();
	expect(trigger.startedForms()).toEqual([form]);
	const upload = trigger.addRecord('user-uploads');
	trigger.useAnotherKey();
	await publishAndWatch('user_uploads.added');
	await nextLook();
	expect(trigger.emitted.at(-1)?.output).toMatchObject([{ data: { user_upload: upload.id } }]);
});

it('a form that has just been submitted is left to be delivered for a minute', async () => {
	await startAfter(10 * MINUTE);
	const form = missForm();
	for (let look = 0; look < 2; look++) expect(await nextLook()).toBe(30_000);
	expect(trigger.emitted).toEqual([]);
	await nextLook();
	expect(trigger.startedForms()).toEqual([form]);
});

it('a backlog that is killed goes on where it was, and no form starts twice', async () => {
	advance(HOUR);
	const forms = Array.from({ length: 560 }, (_, index) => missForm(560 - index));
	await startAfter(10 * MINUTE);
	const emit = trigger.emitted.push.bind(trigger.emitted);
	jest.spyOn(trigger.emitted, 'push').mockImplementation((...emitted) => {
		if (trigger.emitted.length === 530) trigger.executions = 'wait';
		return emit(...emitted);
	});
	await nextLook();
	await close();
	jest.mocked(trigger.emitted.push).mockRestore();
	const begun = trigger.emitted.splice(0).flatMap(({ output = [] }) => output.map(submittedForm));
	trigger.executions = 'run';
	await lookAfter(MINUTE);
	expect([...begun, ...trigger.startedForms()]).toEqual(forms);
});

describe.each(['newestFirst', 'oldestFirst', 'shuffled'] as const)('a list that is %s', (listOrder) => {
	beforeEach(() => Object.assign(trigger.service, { listOrder }));

	it('missed forms are found on every page', async () => {
		for (let count = 0; count < 450; count++) missForm(DAY + count * 1_000);
		advance(HOUR);
		const forms = Array.from({ length: 3 }, (_, index) => missForm((3 - index) * MINUTE));
		await startAfter(10 * MINUTE);
		expect(await pagesOfLook()).toBe(listOrder === 'newestFirst' ? 1 : 3);
		expect(trigger.startedForms()).toEqual(forms);
	});

	it('missed forms of one moment are found', async () => {
		advance(HOUR);
		const forms = Array.from({ length: 210 }, () => missForm(MINUTE));
		await startAfter(10 * MINUTE);
		expect(await pagesOfLook()).toBe(2);
		expect([...trigger.startedForms()].sort()).toEqual(forms.sort());
	});

	it('missed forms are found though the first page tells no order', async () => {
		for (let count = 0; count < 210; count++) missForm(DAY);
		advance(HOUR);
		const forms = Array.from({ length: 5 }, (_, index) => missForm((5 - index) * MINUTE));
		await lookAfter(10 * MINUTE);
		expect(trigger.startedForms()).toEqual(forms);
	});
});

it('a list that is not newest first is read fifty pages, and that something may be missing is said after a quarter of an hour', async () => {
	Object.assign(trigger.service, { listOrder: 'oldestFirst' });
	for (let count = 0; count < 10_100; count++) missForm(DAY + count * 10_000);
	await startAfter(10 * MINUTE);
	expect(await pagesOfLook()).toBe(50);
	advance(16 * MINUTE);
	await nextLook();
	expect(trigger.failedExecutions.map(({ message }) => message)).toEqual([
		expect.stringMatching(/too long to be read to its end.* look for it in the Argyle Console/s),
	]);
}, 30_000);

it('a form that shows up late, behind more forms than a page holds, starts the workflow', async () => {
	advance(HOUR);
	const forms = Array.from({ length: 210 }, (_, index) => missForm(4 * MINUTE - index * 1_000));
	await lookAfter(MINUTE);
	const late = missForm(6 * MINUTE);
	await looks(2);
	expect(trigger.startedForms().sort()).toEqual([...forms, late].sort());
});

it('while a backlog waits for its turn, a look reads the newest page alone, and is not due before five minutes', async () => {
	advance(8 * HOUR);
	for (let count = 0; count < 210; count++) missForm(HOUR + count * MINUTE);
	trigger.executions = 'wait';
	await startAfter(0);
	expect(await pagesOfLook()).toBe(2);
	trigger.service.requests.length = 0;
	expect(await nextLook()).toBeGreaterThan(4 * MINUTE);
	expect(trigger.service.requests.filter(({ path }) => path === '/v2/user-forms')).toHaveLength(1);
	expect(trigger.emitted).toHaveLength(20);
});

it.each(['webhook', 'polling'])(
	'of a longer backlog, a thousand forms wait at a time, and looks save how far it has come (%s)',
	async (receiveBy) => {
		trigger.parameters = { receiveBy, events: ['user_forms.submitted'], options: {} };
		if (receiveBy === 'polling') {
			await startWatch();
			await close();
		}
		advance(8 * HOUR);
		for (let count = 0; count < 1_010; count++) missForm(HOUR + count * 1_000);
		trigger.executions = 'wait';
		await startAfter(0);
		for (let look = 0; look < 3; look++) expect(await nextLook()).toBe(10_000);
		expect(trigger.emitted).toHaveLength(20);
	},
);

it('with Catch Up off, or without the event, the list of forms is not read', async () => {
	advance(MINUTE);
	missForm();
	for (const parameters of [
		{ events: ['user_forms.submitted'], options: { catchUp: false } },
		{ events: ['accounts.updated'], options: {} },
	]) {
		await publish(parameters, 'update');
		await startAfter(10 * MINUTE);
		trigger.service.requests.length = 0;
		await nextLook();
		expect(trigger.service.requests.map(({ path }) => path)).toEqual(['/v2/webhooks']);
		await close();
	}
	expect(trigger.emitted).toEqual([]);
});

it('records in the list of forms without an ID, account or time are left out', async () => {
	advance(MINUTE);
	const form = missForm();
	for (const change of [{ id: 'x' }, { account: null }, { created_at: 'yesterday' }]) {
		const record = {
			id: randomUUID(),
			account: randomUUID(),
			created_at: new Date(Date.now()).toISOString(),
			...change,
		};
		trigger.service.userForms.set(record.id, record);
	}
	await lookAfter(10 * MINUTE);
	expect(trigger.startedForms()).toEqual([form]);
});

it.each(['run', 'run elsewhere'] as const)('the bookmark moves past forms whose executions %s', async (executions) => {
	trigger.executions = executions;
	for (let hours = 0; hours < 3; hours++) {
		advance(5 * HOUR);
		missForm(3 * MINUTE);
		await lookAfter(0);
		missForm(3 * MINUTE);
		await nextLook();
		await close();
	}
	// Each start goes on where the last look of the one before had saved it.
	expect(new Set(trigger.emitted.flatMap(({ items }) => items.map(submittedForm))).size).toBe(6);
	expect(trigger.emitted.length).toBeLessThanOrEqual(10);
});
