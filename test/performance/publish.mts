// `npm run load:publish [-- --older] [-- 20]`: events at a steady rate while a trigger is changed and published again and again, and n8n
// is restarted; for the Argyle Trigger and, under the same rule of repeats, for n8n's own GitHub Trigger.
import { setTimeout as wait } from 'node:timers/promises';
import { inARow, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';
import { SANDBOX_WHEN_NEEDED } from '../support/n8n/process.mts';
import { until } from '../support/n8n/until.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { query, settingsFor, startPostgres } from '../support/n8n/queueServers.mts';
import { argyleSide, gitHubSide, type Side } from './contender.mts';
import { streamDuring } from './eventSource.mts';
import { type Tally, tally } from './outcomes.mts';

/** What is sent unless told: at 20 a second, n8n on two cores is busy to the full and does not come back from its restart. */
const PER_SECOND = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 8);
const PUBLISHES = 10;
const LATENCY_MS = 100;
const BETWEEN_MS = 2_500;
/** Argyle's. */
const TIMING = { timeoutMs: 10_000, retryAfterMs: 30_000 };

const UNENDED = "SELECT 1 FROM execution_entity WHERE status IN ('new', 'running', 'waiting')";
const DATA = 'SELECT d.data FROM execution_data d JOIN execution_entity e ON e.id = d."executionId"';

const path = process.argv.includes('--older') ? 'legacy' : 'publication';

/** Publishes a workflow of the side's trigger, and changes it, and restarts n8n, under load. */
async function play(world: N8nFixture, side: Side): Promise<Tally> {
	const following = n8nNode('Done', 'noOp');
	const save = (trigger: SavedNode) => [trigger, following];
	let workflow = await world.client.createWorkflow(side.name, save(side.trigger), inARow(save(side.trigger)));
	await world.client.publish(workflow);
	const sent = await streamDuring(side, PER_SECOND, async () => {
		await wait(BETWEEN_MS);
		for (let round = 0; round < PUBLISHES; round++) {
			const nodes = save(side.changed(round));
			workflow = await world.client.updateWorkflow(workflow, nodes, inARow(nodes));
			await world.client.publish(workflow);
			await wait(BETWEEN_MS);
		}
		await world.restart();
		await wait(BETWEEN_MS);
	});
	await until('all executions have ended', 120_000, async () =>
		query(postgres, `${UNENDED} AND "workflowId" = '${workflow.id}' LIMIT 1`).length === 0 ? true : undefined,
	);
	const result = tally(query(postgres, `${DATA} WHERE e."workflowId" = '${workflow.id}'`), sent);
	await world.client.unpublish(workflow.id);
	await side.stop();
	return result;
}

// As it comes, n8n itself fails under this load: with SQLite, with any number of executions at once, and with a sandbox for every call.
const postgres = await startPostgres();
const world = await startN8nFixture({
	activation: path,
	env: { ...settingsFor(postgres), N8N_CONCURRENCY_PRODUCTION_LIMIT: '10', ...SANDBOX_WHEN_NEEDED },
});
const argyle = await play(world, await argyleSide(world.client, LATENCY_MS, TIMING));
const github = await play(world, await gitHubSide(world.client, LATENCY_MS, TIMING));
await world.stop();
await postgres.stop();

const show = (value: number | number[]) => (Array.isArray(value) ? value.join(', ') : String(value));
console.log(
	`n8n's ${path} path, ${PER_SECOND} events a second, ${PUBLISHES} publishes and one restart, API answers after ${LATENCY_MS} ms,`,
);
console.log(`repeats after ${TIMING.retryAfterMs / 1_000} s\n\n| | Argyle Trigger | GitHub Trigger |\n|---|---|---|`);
const lines: Array<[string, (of: Tally) => number | number[]]> = [
	['events', ({ sent }) => sent],
	['run', ({ run }) => run],
	['of them by the repeat', ({ runByRepeat }) => runByRepeat],
	['run twice', ({ doubled }) => doubled],
	['lost after a 2xx answer', ({ lostAfter2xx }) => lostAfter2xx],
	["answered 200 by n8n's start page", ({ startPage }) => startPage],
	['lost though sent again', ({ lostThoughRepeated }) => lostThoughRepeated],
	['refused', ({ refused }) => refused],
	['no subscription at that moment', ({ noSubscription }) => noSubscription],
	['n8n had no such address (404)', ({ noRoute }) => noRoute],
	['nobody listened', ({ noProcess }) => noProcess],
	['gaps, ms', ({ gaps }) => gaps],
];
for (const [name, of] of lines) console.log(`| ${name} | ${show(of(argyle))} | ${show(of(github))} |`);
const missed = argyle.lostAfter2xx + argyle.lostThoughRepeated + argyle.refused + argyle.doubled;
console.log(missed === 0 ? '\n1 passed, 0 failed' : `\n0 passed, 1 failed: ${missed} events lost, refused or doubled`);
process.exitCode = missed === 0 ? 0 : 1;
