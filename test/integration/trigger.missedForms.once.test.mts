import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { delayToTurn } from '../../nodes/Argyle/trigger/starts/turn';
import { splitOrigin } from '../../nodes/Argyle/trigger/state/itemOrigin';
import { advance } from '../support/fakeTime.mts';
import { until } from '../support/n8n/until.mts';
import { ENDED } from '../support/n8nCore/emitted.mts';
import { processedValues } from '../support/n8nCore/processedValues.mts';
import { useWatchedTrigger } from '../support/n8nCore/watchedTrigger.mts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const { trigger, nextLook, looks, lookAfter, missForm, startAfter, startWatch, close, publish } = useWatchedTrigger();

/** Submits a form now, whose delivery is left to the test. */
const submitForm = () => trigger.service.storeForm({ createdAt: new Date(Date.now()).toISOString() });

async function deliver({ form, user }: ReturnType<typeof submitForm>) {
	const data = { account: form.account, user, user_form: form.id };
	return await trigger.deliver(JSON.stringify({ event: 'user_forms.submitted', name: 'n', data }));
}

it('a form whose execution n8n could not store is started at the next look but one, half a minute later', async () => {
	advance(MINUTE);
	const form = missForm();
	await startAfter(HOUR);
	const later = missForm(5 * MINUTE);
	trigger.executions = 'are not stored';
	expect(await nextLook()).toBeLessThan(MINUTE);
	expect(await nextLook()).toBeLessThan(MINUTE);
	expect(trigger.startedForms()).toEqual([]);
	expect(trigger.warnings).toEqual([expect.stringMatching(/n8n could not start the workflow.*database is locked/s)]);
	trigger.executions = 'run';
	await nextLook();
	expect(trigger.startedForms()).toEqual([form, later]);
});

it('a form that is delivered after n8n has booted, and before the first look, has no second execution', async () => {
	advance(HOUR);
	trigger.restart();
	trigger.activationMode = 'init';
	await trigger.runHook('checkExists');
	const { items = [] } = await deliver(submitForm());
	expect(await trigger.runExecute(items)).toHaveLength(1);
	await startWatch();
	await nextLook();
	advance(2 * MINUTE);
	await looks(2);
	expect(trigger.emitted).toEqual([]);
});

it('executions that n8n could not store for an hour become a failed execution', async () => {
	await startAfter(HOUR);
	missForm(5 * MINUTE);
	trigger.executions = 'are not stored';
	await looks(8);
	for (const failed of [0, 0, 0]) {
		expect(trigger.failedExecutions).toHaveLength(failed);
		advance(20 * MINUTE);
		await nextLook();
	}
	expect(trigger.failedExecutions).toHaveLength(1);
});

it('a form starts the workflow where n8n refuses to tell when its execution ends', async () => {
	await startAfter(HOUR);
	trigger.executions = 'are refused with a promise';
	const forms = [missForm(5 * MINUTE), missForm(4 * MINUTE)];
	await nextLook();
	const later = missForm(3 * MINUTE);
	await nextLook();
	expect(trigger.startedForms().sort()).toEqual([...forms, later].sort());
	expect(trigger.emitted.map(({ output }) => output?.length)).toEqual([1, 1, 1]);
	advance(HOUR);
	await nextLook();
	expect(trigger.emitted).toHaveLength(3);
});

it('a form whose execution neither begins nor ends is looked for again after five minutes, and starts once', async () => {
	await startAfter(HOUR);
	trigger.executions = 'wait';
	const form = missForm(3 * MINUTE);
	await nextLook();
	expect(await nextLook()).toBeGreaterThan(4 * MINUTE);
	expect(trigger.startedForms()).toEqual([form]);
	trigger.executions = 'run';
	await looks(2);
	expect(trigger.startedForms()).toEqual([form, form]);
	const [lost] = trigger.emitted[0]?.items ?? [];
	const late = await trigger.runExecute([{ json: lost ?? {} }], 'trigger');
	expect([trigger.emitted[1]?.output?.length, late]).toEqual([1, []]);
});

it("of a form of which n8n says nothing for long, no two executions wait that could ask n8n's store at once", async () => {
	await startAfter(HOUR);
	trigger.executions = 'wait';
	missForm(3 * MINUTE);
	for (const end = Date.now() + HOUR; Date.now() < end; ) await nextLook();
	expect(trigger.emitted.length).toBeGreaterThan(5);
	// In queue mode, a waiting execution is replaced by the next one with its deduplication key.
	const waiting = new Map(trigger.emitted.map(({ deduplicationKey, items }) => [deduplicationKey, items[0] ?? {}]));
	const delays = [...waiting.values()].map((item) => {
		const { origin } = splitOrigin(item);
		return delayToTurn(origin && { ...origin, process: 'a worker' }, Date.now());
	});
	expect(delays).toHaveLength(new Set(delays).size);
});

it('a form whose execution was stored but had not begun before the restart starts one', async () => {
	advance(MINUTE);
	const submitted = submitForm();
	await deliver(submitted);
	await lookAfter(10 * MINUTE);
	expect(trigger.startedForms()).toEqual([submitted.form.id]);
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

it('a form that is delivered while it waits for its turn does not start the workflow again', async () => {
	await startAfter(2 * HOUR);
	trigger.executions = 'wait';
	for (let count = 0; count < 20; count++) missForm(HOUR);
	const submitted = submitForm();
	advance(HOUR);
	await nextLook();
	expect(trigger.emitted).toHaveLength(20);
	const { items = [] } = await deliver(submitted);
	expect(items).toHaveLength(1);
	await trigger.runExecute(items);
	for (const { execution } of trigger.emitted) execution?.resolve(ENDED);
	await nextLook();
	expect(trigger.emitted).toHaveLength(20);
});

it('forms that waited for their turn when a changed trigger was published start the workflow after it, each once', async () => {
	await startAfter(2 * HOUR);
	const forms = Array.from({ length: 30 }, (_, index) => missForm((60 - index) * MINUTE));
	trigger.executions = 'wait';
	await nextLook();
	expect(trigger.startedForms()).toEqual(forms.slice(0, 20));
	await publish({}, 'update');
	for (const { execution } of trigger.emitted) execution?.resolve(ENDED);
	trigger.executions = 'run';
	await startWatch();
	await nextLook();
	expect(trigger.startedForms()).toEqual(forms);
});

it('forms that wait for their turn do not start a workflow that was closed meanwhile', async () => {
	await startAfter(2 * HOUR);
	const forms = Array.from({ length: 30 }, (_, index) => missForm((60 - index) * MINUTE));
	trigger.executions = 'wait';
	await nextLook();
	await close();
	for (const { execution } of trigger.emitted) execution?.resolve(ENDED);
	await trigger.untilExecuted();
	await nextTurn();
	expect(trigger.startedForms()).toEqual(forms.slice(0, 20));
});

it('a form that is submitted while a backlog is worked off is the next to start the workflow', async () => {
	advance(HOUR);
	for (let count = 0; count < 30; count++) missForm(30 * MINUTE);
	trigger.executions = 'wait';
	await lookAfter(0);
	const submitted = missForm(3 * MINUTE);
	await nextLook();
	trigger.emitted[0]?.execution?.resolve(ENDED);
	await until('one more has started', 5_000, async () => trigger.emitted[20]);
	expect(trigger.startedForms()[20]).toBe(submitted);
});

it('what ran before a kill is checked before n8n forgets it for a long backlog', async () => {
	await startAfter(2 * HOUR);
	// Static data can't be saved, so the next start does not know what ran.
	trigger.receiver.isRegistered = false;
	const before = Array.from({ length: 5 }, (_, index) => missForm((60 - index) * MINUTE));
	await nextLook();
	trigger.emitted.length = 0;
	const backlog = Array.from({ length: 1_100 }, (_, index) => missForm(50 * MINUTE - index));
	await startAfter(0);
	await looks(2);
	expect(trigger.emitted.at(-1)?.items.map(({ data }) => data)).toEqual(
		before.map((form) => expect.objectContaining({ user_form: form })),
	);
	expect(trigger.startedForms()).toEqual(backlog.slice(0, 995));
});

describe('a form that was delivered while a backlog is worked off, before n8n is killed', () => {
	/** Resolves with the backlog, most of which waits, and the form that was delivered. */
	async function deliverBesideBacklog(): Promise<{ backlog: string[]; delivered: string }> {
		advance(HOUR);
		const backlog = Array.from({ length: 30 }, (_, index) => missForm((45 - index) * MINUTE));
		trigger.executions = 'wait';
		await lookAfter(0);
		advance(MINUTE);
		const submitted = submitForm();
		const { items = [] } = await deliver(submitted);
		expect(await trigger.runExecute(items)).toHaveLength(1);
		return { backlog, delivered: submitted.form.id };
	}

	async function restart(): Promise<void> {
		trigger.executions = 'run';
		trigger.emitted.length = 0;
		await lookAfter(2 * MINUTE, 4);
	}

	it('does not start the workflow again, though n8n has forgotten it', async () => {
		const { backlog } = await deliverBesideBacklog();
		await nextLook();
		processedValues.rows.clear();
		await restart();
		expect(trigger.startedForms()).toEqual(backlog);
	});
});

it('each process of n8n asks for the execution of a missed form with the same key', async () => {
	advance(MINUTE);
	const forms = [missForm(2_000), missForm(1_000)];
	trigger.executions = 'wait';
	for (let processes = 0; processes < 2; processes++) {
		await lookAfter(10 * MINUTE);
		await close();
	}
	const keys = forms.map((form) => expect.stringMatching(new RegExp(`^argyle ${trigger.workflowId} .+ ${form}$`)));
	expect(trigger.emitted.map(({ deduplicationKey }) => deduplicationKey)).toEqual([...keys, ...keys]);
});
