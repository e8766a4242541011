import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type IDataObject, NodeOperationError, type WorkflowExecuteMode } from 'n8n-workflow';
import { clock } from '../../nodes/Argyle/utils/clock';
import { elapsed, useFakeTime } from '../support/fakeTime.mts';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';
import { until } from '../support/n8n/until.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { processedValues } from '../support/n8nCore/processedValues.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';

const trigger = useTriggerFixture();
beforeEach(async () => {
	await trigger.activate();
	trigger.activationMode = 'init';
	await trigger.runTrigger();
});

const formMessage = (form: string) => ({
	event: 'user_forms.submitted',
	name: 'Forms',
	data: { account: 'a', user: 'u', user_form: form },
});

const newForms = (count: number) => Array.from({ length: count }, () => randomUUID());

/** The form as an execution gets it. */
const formItems = (form: string) => [{ json: formMessage(form) }];

const run = async (form: string, mode?: WorkflowExecuteMode) => await trigger.runExecute(formItems(form), mode);

/** An item as `webhook()` hands it to n8n. */
async function received(form: string): Promise<IDataObject> {
	const { items } = await trigger.deliver(eventBody('user_forms.submitted', 'Forms', { user_form: form }));
	return items?.[0]?.json ?? {};
}

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
			expect(await run(form)).toHaveLength(1);
		},
	);

	it('a retry goes on, and the form is recorded', async () => {
		const form = randomUUID();
		expect(await run(form, 'retry')).toEqual(formItems(form));
		expect(await run(form)).toEqual([]);
		expect(await run(form, 'retry')).toEqual(formItems(form));
	});

	it('a retry of one that checks which forms have started the workflow starts it for none of these again', async () => {
		const [one, other] = [randomUUID(), randomUUID()];
		await run(one);
		expect(await trigger.runExecute([...formItems(one), ...formItems(other)], 'retry')).toEqual(formItems(other));
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
		expect([...processedValues.rows.values()].flat()).toEqual(expect.arrayContaining(forms));
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

	it('a form that another process pushed out of the store is recorded again, until it stays there', async () => {
		const form = randomUUID();
		trigger.restart();
		let losses = 0;
		useFakeTime();
		const pause = jest.mocked(clock.pause).getMockImplementation();
		jest.mocked(clock.pause).mockImplementation(async (ms) => {
			if (losses++ < 2) processedValues.rows.clear();
			await pause?.(ms);
		});
		expect(await run(form)).toHaveLength(1);
		await until('it stays', 5_000, async () => losses >= 4 || undefined);
		expect([...processedValues.rows.values()].flat()).toContain(form);
		expect(await run(form)).toEqual([]);
	});

	it('a form goes on though it may be pushed out of the store, then does not start again, and the next one brings it back', async () => {
		const [form, other] = [randomUUID(), randomUUID()];
		jest.spyOn(clock, 'pause').mockImplementation(async () => await new Promise(() => {}));
		expect(await run(form)).toHaveLength(1);
		processedValues.rows.clear();
		expect(await run(form)).toEqual([]);
		processedValues.rows.clear();
		expect(await run(other)).toHaveLength(1);
		expect([...processedValues.rows.values()].flat().sort()).toEqual([form, other].sort());
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
		const json = await received(form);
		const waits = useFakeTime();
		let accesses = 0;
		processedValues.onAccess = async () => {
			if (accesses++ > 0) return;
			throw new Error('UNIQUE constraint failed: processed_data');
		};
		expect(await trigger.runExecute([{ json }])).toHaveLength(1);
		expect([accesses, waits.length]).toEqual([2, 1]);
		expect(await run(form)).toEqual([]);
	});

	it('a store that fails for good ends all executions that wait for it with words, and a retry goes on later', async () => {
		const forms = newForms(5);
		useFakeTime();
		processedValues.onAccess = async () => await Promise.reject(new Error('the database is locked'));
		for (const error of await Promise.all(forms.map(async (form) => await failure(run(form))))) {
			expect(error).toBeInstanceOf(NodeOperationError);
			expect(error.message).toMatch(/^n8n could not tell whether this event has started the workflow before/);
			expect(error.description).toContain('the database is locked');
		}
		expect(elapsed()).toBeGreaterThan(170_000);
		processedValues.onAccess = async () => {};
		for (const form of forms) expect(await run(form, 'retry')).toHaveLength(1);
	});

	it('of several items only the one whose form the store fails for says so, and nothing of it, when the workflow continues', async () => {
		useFakeTime();
		trigger.continueOnFail = true;
		processedValues.onAccess = async () => await Promise.reject(new Error('the database is locked'));
		const added = { json: { event: 'accounts.added', data: {} } };
		expect(await trigger.runExecute([added, ...formItems(randomUUID()), added])).toEqual([
			added,
			{
				json: {
					error: expect.stringMatching(/^n8n could not tell whether this event has started the workflow before/),
					message: expect.stringContaining('the database is locked'),
				},
				pairedItem: { item: 1 },
			},
			added,
		]);
	});
});

it.each<WorkflowExecuteMode>(['webhook', 'trigger', 'retry', 'manual'])(
	'static data, of which other nodes keep theirs, stays as it is in a %s execution',
	async (mode) => {
		const others = { 'node:Counter': { count: 7 }, global: { list: [1, 2] } };
		trigger.staticData = { ...trigger.staticData, ...others };
		const before = trigger.staticData;
		await trigger.runExecute([{ json: await received(randomUUID()) }], mode);
		await run(randomUUID(), mode);
		// The very same object: n8n would have saved another one.
		expect(trigger.staticData).toBe(before);
	},
);
