import { randomUUID } from 'node:crypto';
import { advance } from '../support/fakeTime.mts';
import { until } from '../support/n8n/until.mts';
import { useWatchedTrigger } from '../support/n8nCore/watchedTrigger.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const { trigger, nextLook, missForm, emittedForms, startAfter, startWatch, close } = useWatchedTrigger();

/** Submits a form now, whose delivery is left to the test. */
const submitForm = () => trigger.service.storeForm({ createdAt: new Date(Date.now()).toISOString() });

async function deliver({ form, user }: ReturnType<typeof submitForm>) {
	const data = { account: form.account, user, user_form: form.id };
	return await trigger.deliver(JSON.stringify({ event: 'user_forms.submitted', name: 'n', data }));
}

it('a form whose execution n8n could not store is started at the next look, half a minute later', async () => {
	advance(MINUTE);
	const form = missForm();
	await startAfter(HOUR);
	const later = missForm(5 * MINUTE);
	trigger.isDatabaseLocked = true;
	expect(await nextLook()).toBeLessThan(MINUTE);
	expect(emittedForms()).toEqual([]);
	trigger.isDatabaseLocked = false;
	await nextLook();
	expect(emittedForms()).toEqual([form, later]);
});

it('a form that is delivered between two looks does not start the workflow again', async () => {
	await startAfter(10 * MINUTE);
	missForm();
	await nextLook();
	const submitted = submitForm();
	await deliver(submitted);
	advance(HOUR);
	await nextLook();
	await nextLook();
	expect(emittedForms()).not.toContain(submitted.form.id);
	expect(trigger.emitted).toHaveLength(1);
});

it('a delivery of a form that was caught up is answered 200 and starts nothing', async () => {
	advance(MINUTE);
	const submitted = submitForm();
	await startAfter(10 * MINUTE);
	await nextLook();
	const { body, items } = await deliver(submitted);
	expect([body, items]).toEqual(['{"message":"Already received"}', undefined]);
});

it('a form whose execution began before the restart does not start another one', async () => {
	advance(MINUTE);
	const submitted = submitForm();
	const { items = [] } = await deliver(submitted);
	await trigger.runExecute(items);
	await startAfter(10 * MINUTE);
	await nextLook();
	expect(trigger.emitted).toEqual([]);
});

it('a form whose execution was stored but had not begun before the restart starts one', async () => {
	advance(MINUTE);
	const submitted = submitForm();
	await deliver(submitted);
	await startAfter(10 * MINUTE);
	await nextLook();
	expect(emittedForms()).toEqual([submitted.form.id]);
});

it('two triggers of one account read the lists once', async () => {
	await startAfter(10 * MINUTE);
	trigger.workflowId = randomUUID();
	await trigger.runHook('checkExists');
	await startWatch();
	trigger.service.requests.length = 0;
	await nextLook();
	expect(trigger.service.requests.map(({ path }) => path)).toEqual(['/v2/webhooks', '/v2/user-forms']);
});

it('a form that another process of n8n has started does not start the workflow again', async () => {
	await startAfter(10 * MINUTE);
	await nextLook();
	const taken = missForm();
	const missed = missForm();
	// A worker saves it while this process knows nothing of it.
	const main = trigger.node;
	trigger.restart();
	await trigger.runExecute([{ json: { event: 'user_forms.submitted', data: { user_form: taken } } }]);
	trigger.node = main;
	advance(HOUR);
	trigger.service.requests.length = 0;
	await nextLook();
	expect(emittedForms()).toEqual([missed]);
	expect(trigger.service.requests.filter(({ path }) => path.includes('/accounts/'))).toHaveLength(1);
});

/** Begins a look, which waits for Argyle's answer about an account. Returns its end. */
async function askForAccount(): Promise<{ end: Promise<unknown> }> {
	trigger.service.addFault({ kind: 'slow', delayMs: 1_000, path: /accounts/ });
	const take = jest.spyOn(trigger.service.faults, 'take');
	const end = nextLook();
	await until('the account is asked for', HOUR, async () =>
		take.mock.calls.find(([, path]) => path.includes('/accounts/')),
	);
	return { end };
}

it('a form that is delivered while its account is asked for does not start the workflow again', async () => {
	await startAfter(10 * MINUTE);
	const submitted = submitForm();
	advance(HOUR);
	const { end } = await askForAccount();
	await deliver(submitted);
	await end;
	expect(trigger.emitted).toEqual([]);
});

it('forms that were left when a changed trigger was published start the workflow after it, each once', async () => {
	await startAfter(10 * MINUTE);
	const forms = [missForm(), missForm(-HOUR), missForm(-2 * HOUR)];
	advance(3 * HOUR);
	const emitted = trigger.emitted.push.bind(trigger.emitted);
	jest.spyOn(trigger.emitted, 'push').mockImplementationOnce((...executions) => {
		void close();
		return emitted(...executions);
	});
	void nextLook();
	await until('the first form has started the workflow', HOUR, async () => trigger.emitted[0]);
	trigger.activationMode = 'update';
	await trigger.activate();
	await startWatch();
	await nextLook();
	expect(emittedForms()).toEqual(forms);
});

it('a workflow that is closed while the account of a form is asked for is not started', async () => {
	await startAfter(10 * MINUTE);
	const form = missForm();
	advance(HOUR);
	await askForAccount();
	await close();
	trigger.activationMode = 'update';
	await trigger.activate();
	await startWatch();
	await nextLook();
	expect(emittedForms()).toEqual([form]);
});

it('each process of n8n asks for the execution of a missed form with the same key', async () => {
	advance(MINUTE);
	const forms = [missForm(2_000), missForm(1_000)];
	for (let processes = 0; processes < 2; processes++) {
		await startAfter(10 * MINUTE);
		await nextLook();
		await close();
	}
	const keys = forms.map((form) => expect.stringMatching(new RegExp(`^argyle ${trigger.workflowId} .+ ${form}$`)));
	expect(trigger.emitted.map(({ deduplicationKey }) => deduplicationKey)).toEqual([...keys, ...keys]);
});

it('missed forms start the workflow where n8n cannot call its own address', async () => {
	await startAfter(10 * MINUTE);
	await nextLook();
	const form = missForm();
	advance(HOUR);
	await trigger.receiver.stop();
	await nextLook();
	expect(emittedForms()).toEqual([form]);
	await trigger.receiver.start();
});

it('nobody but the trigger itself is told which forms were taken', async () => {
	const body = JSON.stringify({ event: 'n8n_nodes_argyle.taken_forms', data: { forms: [randomUUID()] } });
	expect(await trigger.deliver(body, { secret: 'f'.repeat(64) })).toMatchObject({ status: 401, items: undefined });
	expect(await trigger.deliver(body)).toMatchObject({ status: 200, body: '{"taken":[]}', items: undefined });
});
