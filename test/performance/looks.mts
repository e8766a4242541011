import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { FakeArgyle } from '../support/fakeArgyle/index.mts';
import { storedStaticData } from '../support/n8n/database.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleTrigger, n8nNode, webhookNode } from '../support/n8n/nodes.mts';
import { until } from '../support/n8n/until.mts';
import type { StoredWorkflow } from '../support/n8n/workflow.mts';
import { fixed, type Row, section } from './markdown.mts';
import { percentile } from './percentile.mts';

const WORKFLOWS = [1, 200];

/** Only a scan of all accounts finds the last one, so it can be lost. Because of that, each look saves static data. */
const EVENTS = [
	'user_forms.submitted',
	'accounts.added',
	'user_uploads.added',
	'verifications.updated',
	'reports.generated',
	'direct_deposit_switches.completed',
];

const LIMITS = { requestsPerSecond: 50, latencyMs: 100 };

const CALL_INTERVAL_MS = 500;
const CALL_DEADLINE_MS = 60_000;

const LOOK_MS = 60_000;
const CALM_MS = 30_000;

/** Publishes, and the looks that follow them, have ended when Argyle was not asked for so long. */
const QUIET_MS = CALM_MS + 15_000;

/** A look that comes too soon after the last publish is left out, and the next one comes 285 s later. */
const LOOK_DEADLINE_MS = 660_000;

const SAVED = '"saved" counts the triggers whose static data the look has saved.';

interface Answer {
	ms: number;
	isOk: boolean;
}

async function call(url: string): Promise<Answer> {
	const calledAt = performance.now();
	const signal = AbortSignal.timeout(CALL_DEADLINE_MS);
	const status = await fetch(url, { method: 'POST', signal })
		.then(async (response) => {
			await response.arrayBuffer();
			return response.status;
		})
		.catch(() => undefined);
	return { ms: performance.now() - calledAt, isOk: status === 200 };
}

/** Calls a webhook at a fixed pace, whether or not it has answered: a late answer must not hide the next ones. */
class Caller {
	private readonly calls: Array<{ at: number; answer: Promise<Answer> }> = [];

	private readonly timer: NodeJS.Timeout;

	constructor(url: string) {
		this.timer = setInterval(() => this.calls.push({ at: Date.now(), answer: call(url) }), CALL_INTERVAL_MS);
	}

	/** The answers to what was called in this time, in milliseconds since 1970. */
	async between(from: number, to: number): Promise<Answer[]> {
		return await Promise.all(this.calls.filter(({ at }) => at >= from && at < to).map(({ answer }) => answer));
	}

	stop(): void {
		clearInterval(this.timer);
	}
}

async function callAnotherWorkflow({ client, n8n }: N8nFixture): Promise<Caller> {
	const path = randomUUID();
	await client.publishNew('Another', [webhookNode(path), n8nNode('Done', 'noOp')]);
	return new Caller(`${n8n.origin}/webhook/${path}`);
}

/** Resolves at the beginning of a look, with its time in milliseconds since 1970. */
async function regularLook({ requests }: FakeArgyle): Promise<number> {
	const since = Date.now();
	return await until('a look', LOOK_DEADLINE_MS, async () => {
		const asked = requests.filter(({ path }) => path === '/v2/webhooks').map(({ at }) => at);
		return asked.find((at, index) => at >= since && at - (asked[index - 1] ?? since) > QUIET_MS);
	});
}

/** The median and the longest. */
function typicalAndWorst(answers: Answer[]): [number, number] {
	const times = answers.map(({ ms }) => ms);
	return [percentile(times, 0.5), percentile(times, 1)];
}

async function oneLook(
	fixture: N8nFixture,
	argyle: FakeArgyle,
	caller: Caller,
	workflows: StoredWorkflow[],
): Promise<Row> {
	const lookAt = await regularLook(argyle);
	const before = storedStaticData(fixture.n8n);
	await wait(lookAt + LOOK_MS - Date.now());
	const after = storedStaticData(fixture.n8n);
	const calm = await caller.between(lookAt - CALM_MS, lookAt);
	const during = await caller.between(lookAt, lookAt + LOOK_MS);
	const [calmTypical, calmWorst] = typicalAndWorst(calm);
	const [typical, worst] = typicalAndWorst(during);
	return [
		workflows.length,
		...[calmTypical, calmWorst, typical, worst].map((ms) => fixed(ms, 0)),
		fixed(typical / calmTypical),
		fixed(worst / calmWorst),
		[...calm, ...during].filter(({ isOk }) => !isOk).length,
		workflows.filter(({ id }) => after.get(id) !== before.get(id)).length,
	];
}

/** How long the webhook of another workflow takes to answer while published triggers look, all at the same time. */
export async function* looks(): AsyncGenerator<string> {
	const fixture = await startN8nFixture();
	const { argyle, credential } = await fixture.connectArgyle(LIMITS);
	const caller = await callAnotherWorkflow(fixture);
	const workflows: StoredWorkflow[] = [];
	const rows: Row[] = [];
	for (const count of WORKFLOWS) {
		while (workflows.length < count) {
			const nodes = [argyleTrigger(credential, { events: EVENTS }), n8nNode('Done', 'noOp')];
			workflows.push(await fixture.client.publishNew(`Workflow ${workflows.length}`, nodes));
		}
		rows.push(await oneLook(fixture, argyle, caller, workflows));
	}
	caller.stop();
	await fixture.stop();
	const columns = ['workflows', 'calm p50, ms', 'calm max, ms', 'look p50, ms', 'look max, ms'];
	const window = `in the ${CALM_MS / 1_000} s before a look and the ${LOOK_MS / 1_000} s from its first request`;
	const note = `One call each ${CALL_INTERVAL_MS} ms, ${window}. ${SAVED}`;
	yield section(
		'Another webhook while published workflows look, with events that can be lost',
		[...columns, 'p50 to calm', 'max to calm', 'not answered 200', 'saved'],
		rows,
		note,
	);
}
