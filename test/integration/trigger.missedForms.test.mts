import { randomUUID } from 'node:crypto';
import { createEmptyRunExecutionData, type IRun } from 'n8n-workflow';
import { advance } from '../support/fakeTime.mts';
import { useWatchedTrigger } from '../support/n8nCore/watchedTrigger.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ENDED: IRun = {
	data: createEmptyRunExecutionData(),
	mode: 'trigger',
	startedAt: new Date(0),
	status: 'success',
	storedAt: 'db',
};

const { trigger, nextLook, missForm, emittedForms, startAfter, close } = useWatchedTrigger();

it('forms that were submitted while n8n was stopped start the workflow, the oldest first', async () => {
	advance(MINUTE);
	const forms = [missForm(), missForm(1_000), missForm(2_000)].reverse();
	await startAfter(10 * MINUTE);
	await nextLook();
	expect(emittedForms()).toEqual(forms);
	expect(await nextLook()).toBeGreaterThan(4 * MINUTE);
	expect(trigger.emitted).toHaveLength(3);
});

it('the item of a missed form is that of a delivered one', async () => {
	advance(MINUTE);
	const { form, user } = trigger.service.storeForm({ createdAt: new Date(Date.now()).toISOString() });
	await startAfter(10 * MINUTE);
	await nextLook();
	expect(
		await trigger.runExecute(
			trigger.emitted.map(({ json }) => ({ json })),
			'trigger',
		),
	).toEqual([
		{
			json: {
				event: 'user_forms.submitted',
				name: 'n8n – Forms to CRM',
				data: { account: form.account, user, user_form: form.id },
			},
		},
	]);
});

it('a missed form comes with its record where Include User Form is on', async () => {
	trigger.parameters = { ...trigger.parameters, includeUserForm: true };
	advance(MINUTE);
	const { form } = trigger.service.storeForm({ createdAt: new Date(Date.now()).toISOString() });
	await startAfter(10 * MINUTE);
	await nextLook();
	expect(trigger.emitted[0]?.json.userForm).toEqual(form);
});

it('a missed form whose account is gone starts the workflow without a user', async () => {
	advance(MINUTE);
	missForm();
	trigger.service.accounts.clear();
	await startAfter(10 * MINUTE);
	await nextLook();
	expect(trigger.emitted[0]?.json.data).toMatchObject({ user: null });
});

it('a missed form whose account cannot be asked for starts the workflow with the next look', async () => {
	advance(MINUTE);
	missForm();
	trigger.service.addFault({ kind: 'status', status: 503, headers: { 'Retry-After': '20' }, path: /accounts/ });
	await startAfter(10 * MINUTE);
	expect(await nextLook()).toBe(30_000);
	expect(trigger.emitted).toEqual([]);
	await nextLook();
	expect(trigger.emitted).toHaveLength(1);
});

it('forms from before the first publish do not start the workflow', async () => {
	missForm(MINUTE);
	await startAfter(10 * MINUTE);
	await nextLook();
	expect(trigger.emitted).toEqual([]);
});

it('forms that were submitted while the workflow was unpublished do not start it', async () => {
	await trigger.runHook('delete');
	advance(HOUR);
	missForm();
	advance(HOUR);
	trigger.activationMode = 'activate';
	await trigger.activate();
	await startAfter(10 * MINUTE);
	await nextLook();
	expect(trigger.emitted).toEqual([]);
});

it('forms that were submitted while a changed trigger was published start the workflow', async () => {
	advance(HOUR);
	await trigger.runHook('delete');
	const form = missForm();
	advance(10_000);
	trigger.activationMode = 'update';
	await trigger.activate();
	await startAfter(10 * MINUTE);
	await nextLook();
	expect(emittedForms()).toEqual([form]);
});

it('a form that has just been submitted is left to be delivered for half a minute', async () => {
	await startAfter(10 * MINUTE);
	const form = missForm();
	expect(await nextLook()).toBe(35_000);
	expect(trigger.emitted).toEqual([]);
	await nextLook();
	expect(emittedForms()).toEqual([form]);
});

it('the bookmark follows ten minutes behind the newest form and is saved by the execution', async () => {
	const before = Date.parse(String(trigger.state.bookmark));
	advance(5 * HOUR);
	missForm();
	await startAfter(10 * MINUTE);
	await nextLook();
	advance(MINUTE);
	missForm(3 * MINUTE);
	await nextLook();
	const [, second] = trigger.emitted;
	await trigger.runExecute([{ json: second?.json ?? {} }], 'trigger');
	expect(Date.parse(String(trigger.state.bookmark)) - before).toBeGreaterThan(4.8 * HOUR);
});

describe.each(['newestFirst', 'oldestFirst', 'shuffled'] as const)('a list that is %s', (listOrder) => {
	it(`missed forms are found on every page of a list that is ${listOrder}`, async () => {
		Object.assign(trigger.service, { listOrder });
		for (let count = 0; count < 450; count++) missForm(DAY + count);
		advance(HOUR);
		const forms = Array.from({ length: 3 }, (_, index) => missForm((3 - index) * MINUTE));
		await startAfter(10 * MINUTE);
		trigger.service.requests.length = 0;
		await nextLook();
		expect(emittedForms()).toEqual(forms);
		const pages = trigger.service.requests.filter(({ path }) => path === '/v2/user-forms').length;
		expect(pages).toBe(listOrder === 'newestFirst' ? 1 : 3);
	});
});

it('a list that is not newest first is read fifty pages, and what may be missing is said after a quarter of an hour', async () => {
	Object.assign(trigger.service, { listOrder: 'oldestFirst' });
	for (let count = 0; count < 10_100; count++) missForm(DAY + count);
	await startAfter(10 * MINUTE);
	trigger.service.requests.length = 0;
	await nextLook();
	expect(trigger.service.requests.filter(({ path }) => path === '/v2/user-forms')).toHaveLength(50);
	advance(16 * MINUTE);
	await nextLook();
	expect(trigger.failedExecutions.map(({ message }) => message)).toEqual([
		expect.stringMatching(/too long to be read to its end.* compare the list in the Argyle Console/s),
	]);
}, 30_000);

it('forms older than a week before the newest are not caught up', async () => {
	advance(MINUTE);
	missForm();
	advance(8 * DAY);
	const recent = missForm();
	await startAfter(10 * MINUTE);
	await nextLook();
	expect(emittedForms()).toEqual([recent]);
});

it('with Catch Up off, or without the event, the list of forms is not read', async () => {
	advance(MINUTE);
	missForm();
	for (const parameters of [
		{ events: ['user_forms.submitted'], options: { catchUp: false } },
		{ events: ['accounts.added'], options: {} },
	]) {
		trigger.parameters = parameters;
		trigger.activationMode = 'update';
		await trigger.activate();
		await startAfter(10 * MINUTE);
		trigger.service.requests.length = 0;
		await nextLook();
		expect(trigger.service.requests.map(({ path }) => path)).toEqual(['/v2/webhooks']);
		await close();
	}
	expect(trigger.emitted).toEqual([]);
});

it('forms are caught up for All Events too', async () => {
	trigger.parameters = { events: ['*'], options: {} };
	trigger.activationMode = 'update';
	await trigger.activate();
	advance(MINUTE);
	const form = missForm();
	await startAfter(10 * MINUTE);
	await nextLook();
	expect(emittedForms()).toEqual([form]);
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
	await startAfter(10 * MINUTE);
	await nextLook();
	expect(emittedForms()).toEqual([form]);
});

it.each<[string, () => Promise<unknown>]>([
	[
		'began in this process',
		async () => await trigger.runExecute([{ json: trigger.emitted[0]?.json ?? {} }], 'trigger'),
	],
	['ended in another one', async () => trigger.emitted[0]?.execution?.resolve(ENDED)],
])('the bookmark moves past a form whose execution %s', async (_, execute) => {
	const before = Date.parse(String(trigger.state.bookmark));
	advance(MINUTE);
	missForm();
	await startAfter(10 * MINUTE);
	await nextLook();
	await execute();
	advance(5 * HOUR);
	missForm(3 * MINUTE);
	await nextLook();
	missForm(3 * MINUTE);
	await nextLook();
	await trigger.runExecute([{ json: trigger.emitted[2]?.json ?? {} }], 'trigger');
	expect(Date.parse(String(trigger.state.bookmark)) - before).toBeGreaterThan(4.5 * HOUR);
});

it('missed forms on the second page of the list start the workflow', async () => {
	advance(MINUTE);
	const forms = Array.from({ length: 202 }, (_, index) => missForm(202 - index));
	await startAfter(10 * MINUTE);
	await nextLook();
	expect(emittedForms()).toEqual(forms);
});
