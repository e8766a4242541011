import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { deliverBytes } from '../support/fakeArgyle/deliveries.mts';
import { isJson } from '../support/json.mts';
import type { N8nClient } from '../support/n8n/client.mts';
import type { StoredWorkflow } from '../support/n8n/workflow.mts';
import { startN8nFixture } from '../support/n8n/fixture.mts';
import { n8nNode } from '../support/n8n/nodes.mts';
import { SANDBOX_WHEN_NEEDED } from '../support/n8n/process.mts';
import { until } from '../support/n8n/until.mts';
import type { Delivery, TriggerContender } from './contender.mts';
import { fixed, type Row, section } from './markdown.mts';
import { percentile } from './percentile.mts';
import { argyleContender, installNoOpTrigger, noOpContender } from './triggerContenders.mts';

const ROUNDS = 3;
const PER_ROUND = 120;
const WARM_UP = 40;
const CONCURRENCY = 10;

/** Argyle's, used for the events of all contenders. */
const TIMING = { timeoutMs: 10_000, retryAfterMs: 30_000 };

const NEVER_STOPPED = new AbortController().signal;

const SETTING = `\`${Object.entries(SANDBOX_WHEN_NEEDED).flat().join('=')}\``;

interface Result {
	contender: TriggerContender;
	workflow: StoredWorkflow;
	latenciesMs: number[];
	/** From the first delivery of each round until its last execution has ended. */
	seconds: number;
	failures: number;
}

/**
 * Yields every item once a round. Each round begins with another one, so that changes in the machine's load affect all
 * alike.
 */
function* inTurns<Item>(items: readonly Item[], rounds: number): Generator<Item> {
	for (let round = 0; round < rounds; round++) {
		const first = round % items.length;
		yield* items.slice(first);
		yield* items.slice(0, first);
	}
}

async function hasEnded(client: N8nClient, workflow: StoredWorkflow): Promise<true | undefined> {
	const filter = JSON.stringify({ workflowId: workflow.id, status: ['new', 'running', 'waiting'] });
	const found = await client.call('GET', `/executions?filter=${encodeURIComponent(filter)}&limit=1`);
	return isJson(found) && Array.isArray(found.results) && found.results.length === 0 ? true : undefined;
}

/** Sends a delivery, with its retry; resolves with all attempts. */
const deliver = async ({ url, body, headers }: Delivery) =>
	await deliverBytes(url, body, headers, TIMING, NEVER_STOPPED);

/** Sends deliveries, and adds to the result once all their executions have ended. */
async function sendRound(client: N8nClient, result: Result, count: number): Promise<void> {
	const startedAt = performance.now();
	let sent = 0;
	async function sendUntilDone(): Promise<void> {
		while (sent++ < count) {
			const sentAt = performance.now();
			const sending = result.contender.deliveriesOf(randomUUID()).map(deliver);
			const [attempts] = await Promise.all(sending);
			result.latenciesMs.push(performance.now() - sentAt);
			if (attempts?.[0]?.status !== 200) result.failures++;
		}
	}
	await Promise.all(Array.from({ length: CONCURRENCY }, sendUntilDone));
	await until('all executions have ended', 120_000, async () => await hasEnded(client, result.workflow));
	result.seconds += (performance.now() - startedAt) / 1_000;
}

async function compare(client: N8nClient, contenders: TriggerContender[]): Promise<Result[]> {
	const results: Result[] = [];
	for (const contender of contenders) {
		const nodes = [...contender.nodes, n8nNode('Done', 'noOp')];
		const workflow = await client.publishNew(contender.name, nodes);
		results.push({ contender, workflow, latenciesMs: [], seconds: 0, failures: 0 });
	}
	for (const result of results) await sendRound(client, { ...result, latenciesMs: [] }, WARM_UP);
	for (const result of inTurns(results, ROUNDS)) {
		await sendRound(client, result, PER_ROUND);
		await wait(500);
	}
	for (const { workflow } of results) await client.unpublish(workflow.id);
	return results;
}

const perSecond = ({ latenciesMs, seconds }: Result) => latenciesMs.length / seconds;

function table(title: string, note: string, results: Result[]): string {
	const rows = results.map((result): Row => {
		const relative = perSecond(result) / perSecond(results[0] ?? result);
		const latencies = [0.5, 0.99].map((part) => fixed(percentile(result.latenciesMs, part), 0));
		return [result.contender.name, fixed(perSecond(result)), fixed(relative, 2), ...latencies, result.failures];
	});
	const columns = ['', 'a second', 'relative to the first', 'answer p50, ms', 'p99, ms', 'not answered 200'];
	return section(title, columns, rows, note);
}

async function allTriggers(title: string, env: Record<string, string>): Promise<string> {
	const fixture = await startN8nFixture({ env, install: installNoOpTrigger });
	const { client, n8n } = fixture;
	const contenders = [noOpContender(n8n.origin), argyleContender(await fixture.connectArgyle())];
	const results = await compare(client, contenders);
	await fixture.stop();
	const note = `${CONCURRENCY} at a time until the last execution has ended, ${ROUNDS} × ${PER_ROUND} each, SQLite.`;
	return table(title, note, results);
}

/** How many deliveries n8n receives with each trigger. */
export async function* deliveries(): AsyncGenerator<string> {
	yield await allTriggers('Deliveries, n8n with its defaults', {});
	yield await allTriggers(`Deliveries, ${SETTING}`, SANDBOX_WHEN_NEEDED);
}
