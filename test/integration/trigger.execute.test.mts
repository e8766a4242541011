import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type IDataObject, NodeOperationError, type WorkflowExecuteMode } from 'n8n-workflow';
import * as staticData from '../../nodes/Argyle/trigger/state/staticData';
import { clock } from '../../nodes/Argyle/utils/clock';
import { useFakeTime } from '../support/fakeTime.mts';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { processedValues } from '../support/n8nCore/processedValues.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const trigger = useTriggerFixture();
let close = async () => {};

/** n8n's main process, which watches the trigger, and runs its executions unless they run in workers. */
async function startMain(): Promise<void> {
	await close();
	trigger.restart();
	await trigger.runHook('checkExists');
	close = await trigger.runTrigger();
}

beforeEach(async () => {
	await trigger.activate();
	trigger.activationMode = 'init';
	close = await trigger.runTrigger();
});
afterEach(async () => await close());

const formMessage = (form: string) => ({
	event: 'user_forms.submitted',
	name: 'Forms',
	data: { account: 'a', user: 'u', user_form: form },
});

const newForms = (count: number) => Array.from({ length: count }, () => randomUUID());

/** The form as an execution gets it. */
const formItems = (form: string) => [{ json: formMessage(form) }];

const run = async (form: string, mode?: WorkflowExecuteMode) => await trigger.runExecute(formItems(form), mode);

/** An item as `webhook()` hands it to n8n, with the bookmark at that time. */
async function received(form: string): Promise<IDataObject> {
	const { items } = await trigger.deliver(eventBody('user_forms.submitted', 'Forms', { user_form: form }));
	return items?.[0]?.json ?? {};
}

const savedState = () => staticData.readState(trigger.state);

describe('execution that a form starts', () => {
	it.each<[WorkflowExecuteMode, WorkflowExecuteMode]>([
		['webhook', 'webhook'],
		['webhook', 'trigger'],
		['trigger', 'webhook'],
		['trigger', 'trigger'],
	])('a form goes on once, first as %s and then as %s', async (first, second) => {
		const form = randomUUID();
		expect(await run(form, first)).toEqual(formItems(form));
		expect(await run(form, second)).toEqual([]);
		trigger.restart();
		expect(await run(form, second)).toEqual([]);
		expect(await run(randomUUID(), second)).toHaveLength(1);
	});

	it('of several forms in one execution those go on that are new', async () => {
		const [one, other] = [randomUUID(), randomUUID()];
		await run(one);
		const items = [...formItems(one), ...formItems(other), ...formItems(other)];
		expect(await trigger.runExecute(items)).toEqual(formItems(other));
	});

	it('a form goes on once in each workflow', async () => {
		const form = randomUUID();
		await run(form);
		trigger.workflowId = randomUUID();
		expect(await run(form)).toHaveLength(1);
	});

	it.each<WorkflowExecuteMode>(['manual', 'evaluation', 'chat'])(
		'a form goes on every time in a %s execution, which records nothing',
		async (mode) => {
			const form = randomUUID();
			for (let count = 0; count < 2; count++) expect(await run(form, mode)).toEqual(formItems(form));
			expect(processedValues.rows.size).toBe(0);
			expect(trigger.state).not.toHaveProperty('startedForms');
			expect(await run(form)).toHaveLength(1);
		},
	);

	it('a retry goes on, and the form is recorded', async () => {
		const form = randomUUID();
		expect(await run(form, 'retry')).toEqual(formItems(form));
		expect(await run(form)).toEqual([]);
		expect(await run(form, 'retry')).toEqual(formItems(form));
	});

	it('other events, and forms without an ID, go on every time', async () => {
		const items = [{ json: { event: 'accounts.added', data: {} }, pairedItem: 3 }, ...formItems('no ID')];
		for (let count = 0; count < 2; count++) expect(await trigger.runExecute(items)).toEqual(items);
		expect(processedValues.rows.size).toBe(0);
	});
});

describe('store of processed values', () => {
	it('of two executions of one form at once in one process, one goes on', async () => {
		const form = randomUUID();
		// Long enough for the other to read before this one writes.
		processedValues.onAccess = async () => {
			for (let turns = 0; turns < 10; turns++) await nextTurn();
		};
		const both = await Promise.all([run(form), run(form)]);
		expect(both.flat()).toEqual(formItems(form));
	});

	it('forms that come together share two accesses, and each of them goes on once', async () => {
		const forms = newForms(20);
		let accesses = 0;
		processedValues.onAccess = async () => void accesses++;
		const started = await Promise.all([...forms, ...forms.slice(15)].map(async (form) => await run(form)));
		expect(started.flat()).toHaveLength(20);
		expect(started.slice(0, 20)).toEqual(forms.map(formItems));
		// The first, those that wait meanwhile, and those that come again.
		expect(accesses).toBeLessThanOrEqual(3);
		expect([...processedValues.rows.values()].flat()).toHaveLength(20);
	});

	it('forms of different triggers do not wait for each other', async () => {
		const [one, other] = [randomUUID(), randomUUID()];
		let finish = () => {};
		const isAccessed = new Promise<void>((resolve) => {
			processedValues.onAccess = async () => {
				resolve();
				await new Promise<void>((end) => (finish = end));
			};
		});
		const held = run(one);
		await isAccessed;
		processedValues.onAccess = async () => {};
		trigger.workflowId = randomUUID();
		expect(await run(other)).toHaveLength(1);
		finish();
		expect(await held).toHaveLength(1);
	});

	it('all forms that wait for a store that fails end with words', async () => {
		useFakeTime();
		processedValues.onAccess = async () => await Promise.reject(new Error('the database is locked'));
		for (const error of await Promise.all(newForms(5).map(async (form) => await failure(run(form)))))
			expect(error.message).toMatch(/^n8n could not tell whether this form has started the workflow before/);
	});

	it('a form that another process pushed out of the store at the same moment is recorded again', async () => {
		const form = randomUUID();
		trigger.restart();
		let losses = 0;
		const waits = useFakeTime();
		const pause = jest.mocked(clock.pause).getMockImplementation();
		jest.mocked(clock.pause).mockImplementation(async (ms) => {
			if (losses++ < 2) processedValues.rows.clear();
			await pause?.(ms);
		});
		expect(await run(form)).toHaveLength(1);
		expect(waits).toHaveLength(3);
		expect([...processedValues.rows.values()]).toEqual([[expect.any(String)]]);
		expect(await run(form)).toEqual([]);
	});

	it('the process that received a form does not wait to look again', async () => {
		const waits = useFakeTime();
		expect(await run(randomUUID())).toHaveLength(1);
		expect(waits).toEqual([]);
	});

	it('a webhook process that received a form, and runs its execution, does not wait to look again', async () => {
		trigger.restart();
		const form = randomUUID();
		const json = await received(form);
		const waits = useFakeTime();
		expect(await trigger.runExecute([{ json }])).toHaveLength(1);
		expect(waits).toEqual([]);
	});

	it('a first value that collides with that of another process is tried again, and found', async () => {
		const form = randomUUID();
		const waits = useFakeTime();
		let accesses = 0;
		processedValues.onAccess = async () => {
			if (accesses++ > 0) return;
			throw new Error('UNIQUE constraint failed: processed_data');
		};
		expect(await run(form)).toHaveLength(1);
		expect([accesses, waits.length]).toEqual([2, 1]);
		expect(await run(form)).toEqual([]);
	});

	it('a store that fails for good ends the execution with words, and a retry goes on later', async () => {
		const form = randomUUID();
		const waits = useFakeTime();
		processedValues.onAccess = async () => await Promise.reject(new Error('the database is locked'));
		const error = await failure(run(form));
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error.message).toMatch(/^n8n could not tell whether this form has started the workflow before/);
		expect(error.description).toContain('the database is locked');
		expect(waits).toHaveLength(3);
		processedValues.onAccess = async () => {};
		expect(await run(form, 'retry')).toHaveLength(1);
	});

	it('a store that fails for good gives an item that says so, and nothing of the form, when the workflow continues', async () => {
		useFakeTime();
		trigger.continueOnFail = true;
		processedValues.onAccess = async () => await Promise.reject(new Error('the database is locked'));
		expect(await run(randomUUID())).toEqual([
			{
				json: {
					error: expect.stringMatching(/^n8n could not tell whether this form has started the workflow before/),
					message: expect.stringContaining('the database is locked'),
				},
				pairedItem: { item: 0 },
			},
		]);
	});

	it('of several items only the one whose form the store fails for fails, when the workflow continues', async () => {
		useFakeTime();
		trigger.continueOnFail = true;
		processedValues.onAccess = async () => await Promise.reject(new Error('the database is locked'));
		const added = { json: { event: 'accounts.added', data: {} } };
		expect(await trigger.runExecute([added, ...formItems(randomUUID()), added])).toEqual([
			added,
			{ json: { error: expect.any(String), message: expect.any(String) }, pairedItem: { item: 1 } },
			added,
		]);
	});
});

describe('static data after an execution', () => {
	it('what webhook() sent along never leaves the trigger', async () => {
		for (const mode of ['webhook', 'retry'] as const) {
			const form = randomUUID();
			const json = await received(form);
			expect(Object.keys(json)).toHaveLength(4);
			const [item] = await trigger.runExecute([{ json }], mode);
			expect(item?.json).toEqual({ event: 'user_forms.submitted', name: 'Forms', data: { user_form: form } });
		}
	});

	it('of forms that come together, each twentieth and the last one save all', async () => {
		const write = jest.spyOn(staticData, 'writeState');
		const forms = newForms(45);
		await Promise.all(forms.map(async (form) => await run(form)));
		expect(write.mock.calls.map(([, { startedForms }]) => startedForms.length)).toEqual([20, 40, 45]);
		expect(savedState().startedForms).toEqual(forms);
		const [later] = newForms(1);
		await run(String(later));
		expect(savedState().startedForms).toEqual([...forms, later]);
	});

	it('a form that only the store knows is saved when it comes again', async () => {
		const form = randomUUID();
		await run(form);
		Object.assign(trigger.staticData, { 'node:Node': { ...trigger.state, startedForms: '' } });
		await startMain();
		expect(await run(form)).toEqual([]);
		expect(savedState().startedForms).toEqual([form]);
	});

	it('what was saved is kept over a restart', async () => {
		const [before, after] = newForms(2);
		await run(String(before));
		await startMain();
		await run(String(after));
		expect(savedState().startedForms).toEqual([before, after]);
	});

	it('what parallel executions saved is put together again', async () => {
		const forms = newForms(5);
		await Promise.all(forms.map(async (form) => await run(form)));
		const last = randomUUID();
		await run(last);
		expect(savedState().startedForms.sort()).toEqual([...forms, last].sort());
	});

	it('a process that does not watch the trigger keeps the forms that others saved', async () => {
		const [before, after] = newForms(2);
		await run(String(before));
		trigger.restart();
		useFakeTime();
		await trigger.runExecute([{ json: await received(String(after)) }]);
		expect(savedState().startedForms).toEqual([before, after]);
	});

	it('an execution keeps what is registered, and the bookmark', async () => {
		const { registered, bookmark } = savedState();
		await run(randomUUID());
		expect(savedState()).toMatchObject({ registered, bookmark });
	});

	it('nothing is saved where forms are not caught up', async () => {
		trigger.parameters = { ...trigger.parameters, options: { catchUp: false } };
		trigger.activationMode = 'update';
		await trigger.activate();
		await close();
		close = await trigger.runTrigger();
		const before = trigger.state;
		const json = await received(randomUUID());
		expect(Object.keys(json)).toHaveLength(3);
		expect(await trigger.runExecute([{ json }])).toHaveLength(1);
		expect(trigger.state).toEqual(before);
		expect(before).not.toHaveProperty('bookmark');
	});
});

describe('static data after an execution in a worker, to which n8n gives none', () => {
	/** Runs it as a process that knows nothing of the trigger. */
	async function runInWorker(json: IDataObject) {
		const { staticData: main, node } = trigger;
		trigger.restart();
		trigger.staticData = {};
		useFakeTime();
		const output = await trigger.runExecute([{ json }]);
		const saved = savedState();
		Object.assign(trigger, { staticData: main, node });
		return { output, saved };
	}

	it('what came with the form is saved, and the form', async () => {
		const { registered, bookmark } = savedState();
		const form = randomUUID();
		const { output, saved } = await runInWorker(await received(form));
		expect(output).toHaveLength(1);
		expect(saved).toEqual({ registered, bookmark, startedForms: [form] });
	});

	it('a webhook process learns the bookmark from the question of the main process, and never an older one', async () => {
		const { bookmark } = savedState();
		if (bookmark === undefined) throw new Error('there is no bookmark');
		// It knows the bookmark from static data, and a later one from the question.
		trigger.restart();
		const ask = (ms: number) => {
			const state = {};
			staticData.writeState(state, { bookmark: { ...bookmark, time: bookmark.time + ms }, startedForms: [] });
			return eventBody('n8n_nodes_argyle.received_forms', 'Forms', { forms: [], state });
		};
		const times = [];
		for (const ms of [0, 7_000, 5_000]) {
			await trigger.deliver(ask(ms));
			const { saved } = await runInWorker(await received(randomUUID()));
			times.push(Number(saved.bookmark?.time) - bookmark.time);
		}
		expect(times).toEqual([0, 7_000, 7_000]);
	});

	it('an execution without a bookmark saves nothing', async () => {
		const { output, saved } = await runInWorker(formMessage(randomUUID()));
		expect(output).toHaveLength(1);
		expect(saved).toEqual({ registered: undefined, bookmark: undefined, startedForms: [] });
	});
});
