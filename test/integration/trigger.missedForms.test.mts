import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { FakeArgyle } from '../support/fakeArgyle/index.mts';
import { advance, SteppedTime } from '../support/fakeTime.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const trigger = useTriggerFixture();
let close: () => Promise<void>;
let time: SteppedTime;

beforeEach(async () => {
	await trigger.activate();
	time = new SteppedTime();
});
afterEach(async () => await close());

/** A form that is submitted now, or `ageMs` ago, and not delivered. Returns its ID. */
function missForm(ageMs = 0, account?: string): string {
	const createdAt = new Date(Date.now() - ageMs).toISOString();
	return trigger.service.storeForm({ createdAt, account }).form.id;
}

/** Starts n8n anew, after the trigger was not looked after for a while. */
async function startAfter(ms: number): Promise<void> {
	advance(ms);
	trigger.restart();
	trigger.activationMode = 'init';
	await trigger.runHook('checkExists');
	const firstDelay = time.next();
	close = await trigger.runTrigger();
	expect(await firstDelay).toBeLessThan(10_000);
}

const emittedForms = () => trigger.emitted.map(({ json }) => (json.data as IDataObject).user_form);

it('forms that were submitted while n8n was stopped start the workflow, the oldest first', async () => {
	advance(MINUTE);
	const forms = [missForm(), missForm(1_000), missForm(2_000)].reverse();
	await startAfter(10 * MINUTE);
	await time.next();
	expect(emittedForms()).toEqual(forms);
	expect(await time.next()).toBeGreaterThan(4 * MINUTE);
	expect(trigger.emitted).toHaveLength(3);
});

it('a form whose execution n8n could not store is started at the next look, half a minute later', async () => {
	advance(MINUTE);
	const form = missForm();
	await startAfter(HOUR);
	const later = missForm(5 * MINUTE);
	trigger.isDatabaseLocked = true;
	expect(await time.next()).toBeLessThan(MINUTE);
	expect(emittedForms()).toEqual([]);
	trigger.isDatabaseLocked = false;
	await time.next();
	expect(emittedForms()).toEqual([form, later]);
});

it('the item of a missed form is that of a delivered one', async () => {
	advance(MINUTE);
	const { form, user } = trigger.service.storeForm({ createdAt: new Date(Date.now()).toISOString() });
	await startAfter(10 * MINUTE);
	await time.next();
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
	await time.next();
	expect(trigger.emitted[0]?.json.userForm).toEqual(form);
});

it('a missed form whose account is gone starts the workflow without a user', async () => {
	advance(MINUTE);
	missForm();
	trigger.service.accounts.clear();
	await startAfter(10 * MINUTE);
	await time.next();
	expect(trigger.emitted[0]?.json.data).toMatchObject({ user: null });
});

it('a missed form whose account cannot be asked for starts the workflow with the next look', async () => {
	advance(MINUTE);
	missForm();
	trigger.service.addFault({ kind: 'status', status: 503, headers: { 'Retry-After': '20' }, path: /accounts/ });
	await startAfter(10 * MINUTE);
	expect(await time.next()).toBe(30_000);
	expect(trigger.emitted).toEqual([]);
	await time.next();
	expect(trigger.emitted).toHaveLength(1);
});

it('forms from before the first publish do not start the workflow', async () => {
	missForm(MINUTE);
	await startAfter(10 * MINUTE);
	await time.next();
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
	await time.next();
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
	await time.next();
	expect(emittedForms()).toEqual([form]);
});

it('a form that has just been submitted is left to be delivered for half a minute', async () => {
	await startAfter(10 * MINUTE);
	const form = missForm();
	expect(await time.next()).toBe(35_000);
	expect(trigger.emitted).toEqual([]);
	await time.next();
	expect(emittedForms()).toEqual([form]);
});

it('a form that is delivered between two looks does not start the workflow again', async () => {
	await startAfter(10 * MINUTE);
	missForm();
	await time.next();
	const { form, user } = trigger.service.storeForm({ createdAt: new Date(Date.now()).toISOString() });
	const data = { account: form.account, user, user_form: form.id };
	await trigger.deliver(JSON.stringify({ event: 'user_forms.submitted', name: 'n', data }));
	advance(HOUR);
	await time.next();
	await time.next();
	expect(emittedForms()).not.toContain(form.id);
	expect(trigger.emitted).toHaveLength(1);
});

it('a delivery of a form that was caught up is answered 200 and starts nothing', async () => {
	advance(MINUTE);
	const { form, user } = trigger.service.storeForm({ createdAt: new Date(Date.now()).toISOString() });
	await startAfter(10 * MINUTE);
	await time.next();
	const data = { account: form.account, user, user_form: form.id };
	const { body, items } = await trigger.deliver(JSON.stringify({ event: 'user_forms.submitted', name: 'n', data }));
	expect([body, items]).toEqual(['{"message":"Already received"}', undefined]);
});

it('a form whose execution began before the restart does not start another one', async () => {
	advance(MINUTE);
	const { form, user } = trigger.service.storeForm({ createdAt: new Date(Date.now()).toISOString() });
	const data = { account: form.account, user, user_form: form.id };
	const { items = [] } = await trigger.deliver(JSON.stringify({ event: 'user_forms.submitted', name: 'n', data }));
	await trigger.runExecute(items);
	await startAfter(10 * MINUTE);
	await time.next();
	expect(trigger.emitted).toEqual([]);
});

it('a form whose execution was stored but had not begun before the restart starts one', async () => {
	advance(MINUTE);
	const { form, user } = trigger.service.storeForm({ createdAt: new Date(Date.now()).toISOString() });
	const data = { account: form.account, user, user_form: form.id };
	await trigger.deliver(JSON.stringify({ event: 'user_forms.submitted', name: 'n', data }));
	await startAfter(10 * MINUTE);
	await time.next();
	expect(emittedForms()).toEqual([form.id]);
});

it('the bookmark follows ten minutes behind the newest form and is saved by the execution', async () => {
	const before = Date.parse(String(trigger.state.bookmark));
	advance(5 * HOUR);
	missForm();
	await startAfter(10 * MINUTE);
	await time.next();
	advance(MINUTE);
	missForm(3 * MINUTE);
	await time.next();
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
		await time.next();
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
	await time.next();
	expect(trigger.service.requests.filter(({ path }) => path === '/v2/user-forms')).toHaveLength(50);
	advance(16 * MINUTE);
	await time.next();
	expect(trigger.failedExecutions.map(({ message }) => message)).toEqual([
		expect.stringContaining('too long to be read to its end'),
	]);
}, 30_000);

it('forms older than a week before the newest are not caught up', async () => {
	advance(MINUTE);
	missForm();
	advance(8 * DAY);
	const recent = missForm();
	await startAfter(10 * MINUTE);
	await time.next();
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
		await time.next();
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
	await time.next();
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
	await time.next();
	expect(emittedForms()).toEqual([form]);
});

it('two triggers of one account read the lists once', async () => {
	await startAfter(10 * MINUTE);
	const [closeFirst, argyle] = [close, trigger.service];
	expect(argyle).toBeInstanceOf(FakeArgyle);
	const { workflowId } = trigger;
	trigger.workflowId = randomUUID();
	await trigger.runHook('checkExists');
	const held = time.next();
	close = await trigger.runTrigger();
	await held;
	argyle.requests.length = 0;
	await time.next();
	await closeFirst();
	trigger.workflowId = workflowId;
	expect(argyle.requests.map(({ path }) => path)).toEqual(['/v2/webhooks', '/v2/user-forms']);
});

it('a form that another process of n8n has started does not start the workflow again', async () => {
	await startAfter(10 * MINUTE);
	await time.next();
	const taken = missForm();
	const missed = missForm();
	// A worker saves it while this process knows nothing of it.
	await trigger.runExecute([{ json: { event: 'user_forms.submitted', data: { user_form: taken } } }]);
	advance(HOUR);
	await time.next();
	expect(emittedForms()).toEqual([missed]);
});

it('missed forms start the workflow where n8n cannot call its own address', async () => {
	await startAfter(10 * MINUTE);
	await time.next();
	const form = missForm();
	advance(HOUR);
	await trigger.receiver.stop();
	await time.next();
	expect(emittedForms()).toEqual([form]);
	await trigger.receiver.start();
});

it('nobody but the trigger itself is told which forms were taken', async () => {
	close = async () => {};
	const body = JSON.stringify({ event: 'n8n_nodes_argyle.taken_forms', data: { forms: [randomUUID()] } });
	expect(await trigger.deliver(body, { secret: 'f'.repeat(64) })).toMatchObject({ status: 401, items: undefined });
	expect(await trigger.deliver(body)).toMatchObject({ status: 200, body: '{"taken":[]}', items: undefined });
});
