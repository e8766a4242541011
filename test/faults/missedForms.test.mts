import { setTimeout as wait } from 'node:timers/promises';
import { hasProcessedValues, storedExecutions } from '../support/n8n/database.mts';
import { n8nNode } from '../support/n8n/nodes.mts';
import { until } from '../support/n8n/until.mts';
import type { FaultFixture } from './faultFixture.mts';
import { inOwnN8n } from './faultTests.mts';

/** More than the minute that it takes where n8n has a processor to itself: what counts here is that none is lost. */
const START_DEADLINE_MS = 300_000;

/** A busy n8n takes minutes to restart, and then has to work off what was submitted until then. */
const MAX_FORMS = 60;

/** What became of the forms, which are found in the data of their executions. */
function outcomesOf({ n8nFixture, workflow }: FaultFixture, forms: string[]) {
	const executions = storedExecutions(n8nFixture.n8n, workflow.id);
	const started = executions.filter(({ data }) => data.includes('"Done"'));
	const crashed = executions.filter(({ status }) => status === 'crashed');
	const counts = forms.map((id) => started.filter(({ data }) => data.includes(id)).length);
	// An execution that had begun when n8n was killed has no result, and is not run again.
	const killed = forms.filter((id, index) => counts[index] === 0 && crashed.some(({ data }) => data.includes(id)));
	return {
		submitted: forms.length,
		killed: killed.length,
		lost: counts.filter((count) => count === 0).length - killed.length,
		twice: counts.filter((count) => count > 1).length,
		needless: executions.length - started.length - crashed.length,
	};
}

/** Waits until every form has started the workflow, and expects that none did so twice. */
async function expectEachOnce(fixture: FaultFixture, forms: string[]): Promise<void> {
	await until('every form has started the workflow', START_DEADLINE_MS, async () =>
		outcomesOf(fixture, forms).lost > 0 ? undefined : true,
	).catch(() => undefined);
	const outcomes = outcomesOf(fixture, forms);
	process.stdout.write(`  ${JSON.stringify(outcomes)}\n`);
	const { lost, twice } = outcomes;
	expect({ lost, twice }).toEqual({ lost: 0, twice: 0 });
}

/** Submits two forms a second while `work` is done. Returns their IDs. */
async function submitFormsDuring({ argyle }: FaultFixture, work: () => Promise<void>): Promise<string[]> {
	const forms: string[] = [];
	const deliveries: Array<Promise<unknown>> = [];
	let isOver = false;
	const done = work().finally(() => (isOver = true));
	while (!isOver && forms.length < MAX_FORMS) {
		const known = new Set(argyle.userForms.keys());
		deliveries.push(argyle.submitForm());
		forms.push(...[...argyle.userForms.keys()].filter((id) => !known.has(id)));
		await wait(500);
	}
	await done;
	await Promise.all(deliveries);
	return forms;
}

/** Forms that are submitted while n8n, its route or Argyle is away. */
const recovers = inOwnN8n();

recovers('n8n is killed in a stream of two forms a second', async (fixture) => {
	await fixture.publish();
	const forms = await submitFormsDuring(fixture, async () => {
		await wait(3_000);
		await fixture.n8nFixture.restart({ kill: true });
	});
	await expectEachOnce(fixture, forms);
});

recovers('the trigger is changed and published ten times while two forms a second are submitted', async (fixture) => {
	await fixture.publish();
	const forms = await submitFormsDuring(fixture, async () => {
		for (let publish = 0; publish < 10; publish++) {
			const events = publish % 2 === 0 ? ['user_forms.submitted', 'accounts.added'] : ['user_forms.submitted'];
			await fixture.changeTrigger({ parameters: { ...fixture.trigger.parameters, events } });
			await fixture.publish();
		}
	});
	await expectEachOnce(fixture, forms);
});

recovers(
	"n8n is killed while a form's execution waits and right after it has accepted another form",
	async (fixture) => {
		await fixture.changeTrigger({}, n8nNode('Done', 'wait', { amount: 10, unit: 'seconds' }, 1.1));
		await fixture.publish();
		const { form: begun } = await fixture.argyle.submitForm();
		await until('the form is recorded, and goes on', START_DEADLINE_MS, async () =>
			hasProcessedValues(fixture.n8nFixture.n8n, fixture.workflow.id) ? true : undefined,
		);
		const { form: accepted } = await fixture.argyle.submitForm();
		await fixture.n8nFixture.restart({ kill: true });
		await expectEachOnce(fixture, [accepted.id]);
		const executions = storedExecutions(fixture.n8nFixture.n8n, fixture.workflow.id);
		const again = executions.filter(({ status, data }) => status === 'success' && data.includes('"Done"'));
		expect(again.filter(({ data }) => data.includes(begun.id))).toEqual([]);
	},
);
