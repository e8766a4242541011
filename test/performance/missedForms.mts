import { setTimeout as wait } from 'node:timers/promises';
import type { FakeArgyle } from '../support/fakeArgyle/index.mts';
import type { StoredWorkflow } from '../support/n8n/workflow.mts';
import type { ArgyleConnection } from '../support/n8n/connectArgyle.mts';
import { isJson } from '../support/json.mts';
import { countExecutions, storedExecutions } from '../support/n8n/database.mts';
import { toFullExecution } from '../support/n8n/execution.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleTrigger, n8nNode } from '../support/n8n/nodes.mts';
import { until } from '../support/n8n/until.mts';
import { fixed, type Row, section } from './markdown.mts';
import { HEAPS, peakMemoryDuring, residentMemory } from './sampler.mts';

const BACKLOG = 20_000;

/** When n8n is killed, as parts of the backlog. */
const KILLS = [0.2, 0.5, 0.8];

const WORKFLOWS = 200;
const FORMS_EACH = 10;

const DEADLINE_MS = 7_200_000;

/** n8n keeps 10,000 executions by default, too few to count these. */
const KEEP_ALL = { EXECUTIONS_DATA_PRUNE: 'false' };

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What became of forms that each of the workflows was to run with. */
class Outcome {
	lost = 0;

	twice = 0;

	/** In executions that were running when n8n was killed: it does not run them again. */
	killed = 0;

	/** Milliseconds since 1970. */
	readonly endOf = new Map<string, number>();

	constructor(fixture: N8nFixture, workflows: StoredWorkflow[], forms: Set<string>) {
		for (const workflow of workflows) this.add(fixture, workflow, forms);
	}

	private add({ n8n }: N8nFixture, { id }: StoredWorkflow, forms: Set<string>): void {
		const runs = new Map<string, number>();
		const crashed = new Set<string>();
		for (const { status, endedAt, data } of storedExecutions(n8n, id)) {
			if (status === 'crashed') for (const uuid of data.match(UUID) ?? []) crashed.add(uuid);
			// One execution checks all forms that may have run before n8n booted.
			for (const { json } of toFullExecution({ data }).output.Done ?? []) {
				const form = String(isJson(json.data) && json.data.user_form);
				runs.set(form, (runs.get(form) ?? 0) + 1);
				this.endOf.set(form, endedAt);
			}
		}
		for (const form of forms) {
			const count = runs.get(form) ?? 0;
			if (count > 1) this.twice++;
			if (count === 0 && crashed.has(form)) this.killed++;
			else if (count === 0) this.lost++;
		}
	}
}

/** For how long n8n seems to have been away. */
const AWAY_MS = 3_600_000;

/** An Argyle at which each trigger seems to have been published before n8n went away. */
async function connect(fixture: N8nFixture): Promise<ArgyleConnection> {
	const connection = await fixture.connectArgyle({ requestsPerSecond: 50, latencyMs: 100 });
	const { argyle } = connection;
	argyle.userForms.clear();
	argyle.onCreated = async (subscription) => {
		subscription.created_at = new Date(Date.now() - 2 * AWAY_MS).toISOString();
	};
	return connection;
}

/** Stores forms that were submitted while n8n was away. */
function storeForms(argyle: FakeArgyle, count: number): string[] {
	const first = Date.now() - AWAY_MS;
	return Array.from({ length: count }, (_, index) => {
		const createdAt = new Date(first + (index / count) * AWAY_MS).toISOString();
		return argyle.storeForm({ createdAt }).form.id;
	});
}

const triggerOf = (credential: Parameters<typeof argyleTrigger>[0]) => [
	argyleTrigger(credential),
	n8nNode('Done', 'noOp'),
];

/** After a restart, when nothing is left to be done. */
async function idleMemory(fixture: N8nFixture): Promise<number> {
	await fixture.restart();
	await wait(30_000);
	return residentMemory(fixture.n8n.pid);
}

async function untilExecutions(fixture: N8nFixture, count: number): Promise<void> {
	await until(`${count} executions`, DEADLINE_MS, async () => {
		await wait(1_000);
		return countExecutions(fixture.n8n) >= count ? true : undefined;
	});
	// The last of them may not have ended.
	await wait(5_000);
}

/** The seconds from the submission of each form to the end of its execution. */
function waits(submitted: Map<string, number>, { endOf }: Outcome): string {
	const seconds = [...submitted].map(([form, at]) => ((endOf.get(form) ?? NaN) - at) / 1_000);
	return `${fixed(Math.min(...seconds))} to ${fixed(Math.max(...seconds))}`;
}

async function backlog(): Promise<string> {
	const fixture = await startN8nFixture({ env: KEEP_ALL });
	const { argyle, credential } = await connect(fixture);
	const workflow = await fixture.client.publishNew('Backlog', triggerOf(credential));
	const idle = await idleMemory(fixture);

	const forms = new Set<string>();
	const delivered = new Map<string, number>();
	const missed = new Map<string, number>();
	let peak = 0;
	await fixture.restart({
		whileStopped() {
			for (const id of storeForms(argyle, BACKLOG)) forms.add(id);
		},
	});
	const restartedAt = Date.now();
	for (const part of [...KILLS, 1]) {
		const life = async () => {
			const before = Date.now();
			missed.set(argyle.storeForm().form.id, before);
			delivered.set((await argyle.submitForm()).form.id, before);
			await untilExecutions(fixture, Math.round(BACKLOG * part));
		};
		peak = Math.max(peak, await peakMemoryDuring(fixture.n8n.pid, life));
		if (part < 1) await fixture.restart({ kill: true });
	}
	for (const id of [...delivered.keys(), ...missed.keys()]) forms.add(id);
	await until('every form has run', DEADLINE_MS, async () => {
		await wait(5_000);
		return new Outcome(fixture, [workflow], forms).lost === 0 ? true : undefined;
	}).catch(() => undefined);
	const outcome = new Outcome(fixture, [workflow], forms);
	const seconds = (Math.max(...outcome.endOf.values()) - restartedAt) / 1_000;
	const refused = argyle.requests.filter(({ status }) => status === 429).length;
	const row: Row = [
		BACKLOG,
		outcome.lost,
		outcome.twice,
		outcome.killed,
		fixed(idle, 0),
		fixed(peak - idle, 0),
		fixed(forms.size / seconds),
		waits(delivered, outcome),
		waits(missed, outcome),
		refused,
	];
	await fixture.stop();
	const columns = [
		'forms',
		'lost',
		'twice',
		'running at a kill',
		'idle, MiB',
		'peak above idle, MiB',
		'forms a second',
	];
	const more = ['a delivered form, s', 'a new missed form, s', '429s'];
	return section(
		'Forms that were missed while n8n was stopped, which is then killed three times',
		[...columns, ...more],
		[row],
		'Seconds from the submission to the end of the execution, of forms that are submitted after each start.',
	);
}

/** Delivers forms to all workflows, one after the other. */
async function deliverForms(argyle: FakeArgyle, count: number): Promise<void> {
	for (let sent = 0; sent < count; sent++) await argyle.submitForm();
}

async function manyWorkflows(heap: string, env: Record<string, string>): Promise<Row> {
	const fixture = await startN8nFixture({ env: { ...KEEP_ALL, ...env } });
	const { argyle, credential } = await connect(fixture);
	const workflows: StoredWorkflow[] = [];
	for (let count = 0; count < WORKFLOWS; count++)
		workflows.push(await fixture.client.publishNew(`Workflow ${count}`, triggerOf(credential)));
	const idle = await idleMemory(fixture);

	const forms = new Set<string>();
	await fixture.restart({
		whileStopped() {
			argyle.requests.length = 0;
			for (const id of storeForms(argyle, FORMS_EACH)) forms.add(id);
		},
	});
	const startedAt = Date.now();
	const peak = await peakMemoryDuring(fixture.n8n.pid, async () => {
		await untilExecutions(fixture, WORKFLOWS * FORMS_EACH);
		await wait(30_000);
	});
	const outcome = new Outcome(fixture, workflows, forms);
	const seconds = (Math.max(...outcome.endOf.values()) - startedAt) / 1_000;
	const requests = argyle.requests.filter(({ path }) => !path.startsWith('/v2/accounts/')).length;
	const refused = argyle.requests.filter(({ status }) => status === 429).length;
	await fixture.restart();
	const delivered = await peakMemoryDuring(fixture.n8n.pid, async () => {
		await deliverForms(argyle, FORMS_EACH);
		await untilExecutions(fixture, 2 * WORKFLOWS * FORMS_EACH);
	});
	await fixture.stop();
	return [
		heap,
		WORKFLOWS * FORMS_EACH,
		outcome.lost,
		outcome.twice,
		requests,
		refused,
		fixed(seconds, 0),
		fixed(idle, 0),
		fixed(peak - idle, 0),
		fixed(delivered - idle, 0),
	];
}

async function manyWorkflowsWithHeaps(): Promise<string> {
	const rows: Row[] = [];
	for (const [heap, env] of HEAPS) rows.push(await manyWorkflows(heap, env));
	const columns = ['heap', 'executions', 'lost', 'twice', 'requests', '429s', 'seconds', 'idle, MiB'];
	return section(
		`${WORKFLOWS} published workflows of one account, restarted with ${FORMS_EACH} missed forms each`,
		[...columns, 'peak above idle, MiB', 'when the same forms are delivered'],
		rows,
		'Requests without those for the account of each form.',
	);
}

/** What it takes to catch up. It takes an hour, so it is left out of the benches that are run together. */
export async function* missedForms(): AsyncGenerator<string> {
	yield await manyWorkflowsWithHeaps();
	yield await backlog();
}
