// `npm run load:publish [-- --older] [--rate 20] [--proxy]`: events at a steady rate while a trigger is changed and published again and
// again, and n8n is restarted; for the Argyle Trigger and, under the same rule of repeats, for n8n's own GitHub Trigger. With `--proxy`
// a proxy stands before n8n that answers 503 where n8n can't.
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { unended } from '../n8n/database.mts';
import { inARow, n8nNode, type SavedNode } from '../n8n/nodes.mts';
import { until } from '../n8n/until.mts';
import { World } from '../n8n/world.mts';
import { startProxy } from './proxy.mts';
import { argyleSide, gitHubSide, type Side } from './sides.mts';
import { streamDuring } from './source.mts';
import { tally } from './tally.mts';

const PUBLISHES = 10;
const LATENCY_MS = 100;
const BETWEEN_MS = 2_500;
/** Argyle's 30 s would only make the run longer. */
const TIMING = { timeoutMs: 10_000, retryAfterMs: 10_000 };

/** n8n under full load takes its time. */
const PUBLISH_DEADLINE_MS = 180_000;

const { values } = parseArgs({
	options: {
		older: { type: 'boolean', default: false },
		proxy: { type: 'boolean', default: false },
		rate: { type: 'string', default: '20' },
	},
});
const path = values.older ? 'older' : 'default';
const perSecond = Number(values.rate);

/** Publishes a workflow of the trigger, changes it under load, and counts what became of the events. */
async function play(world: World, side: Side) {
	const following = n8nNode('Done', 'noOp');
	const save = (trigger: SavedNode) => [trigger, following];
	let workflow = await world.client.createWorkflow(side.name, save(side.trigger), inARow(save(side.trigger)));
	await world.client.publish(workflow);
	const publishing: number[] = [];
	const sent = await streamDuring(side, perSecond, async () => {
		await wait(BETWEEN_MS);
		for (let round = 0; round < PUBLISHES; round++) {
			const nodes = save(side.changed(round));
			workflow = await world.client.updateWorkflow(workflow, nodes, inARow(nodes));
			const before = Date.now();
			await world.client.publish(workflow, PUBLISH_DEADLINE_MS);
			publishing.push(Date.now() - before);
			await wait(BETWEEN_MS);
		}
		await world.restart('asked');
		await wait(BETWEEN_MS);
	});
	await until('all executions have ended', 120_000, async () =>
		unended(world.n8n, workflow.id) === 0 ? true : undefined,
	);
	const result = { ...tally(world.n8n, workflow.id, sent), publishing };
	await world.client.unpublish(workflow.id);
	await side.stop();
	return result;
}

const proxy = values.proxy ? await startProxy() : undefined;
const world = await World.start(path, proxy === undefined ? {} : { WEBHOOK_URL: `${proxy.origin}/` });
proxy?.standBefore(world.n8n.origin);
const argyle = await play(world, await argyleSide(world, LATENCY_MS, TIMING));
const github = await play(world, await gitHubSide(world, LATENCY_MS, TIMING));
await world.end();
await proxy?.stop();

const lines: Array<[string, (of: typeof argyle) => number | string]> = [
	['events', ({ sent }) => sent],
	['run', ({ run }) => run],
	['of them by the repeat', ({ runByRepeat }) => runByRepeat],
	['run twice', ({ doubled }) => doubled],
	['lost after a 2xx answer of the trigger', ({ lostAfter2xx }) => lostAfter2xx],
	['lost though sent again', ({ lostThoughRepeated }) => lostThoughRepeated],
	['refused (401, 403)', ({ refused }) => refused],
	['lost after another answer', ({ lostOtherwise }) => lostOtherwise],
	['lost: no subscription at that moment', ({ noSubscription }) => noSubscription],
	['lost: n8n had no such address (404)', ({ noRoute }) => noRoute],
	['lost: n8n said 200, "n8n is starting up"', ({ startingUp }) => startingUp],
	['lost: nobody listened', ({ noProcess }) => noProcess],
	['the longest stretches of lost events, ms', ({ gaps }) => gaps.join(', ')],
	['answers', ({ answers }) => answers],
	['executions', ({ endings }) => endings],
	['publishing took, ms', ({ publishing }) => publishing.join(', ')],
];
console.log(
	`n8n's ${path} path, ${perSecond} events a second, ${PUBLISHES} publishes and one restart, API answers after ${LATENCY_MS} ms,`,
);
console.log(
	`repeats after ${TIMING.retryAfterMs / 1_000} s${values.proxy ? ', a proxy before n8n that answers 503' : ''}\n`,
);
console.log('| | Argyle Trigger | GitHub Trigger |\n|---|---|---|');
for (const [name, of] of lines) console.log(`| ${name} | ${of(argyle)} | ${of(github)} |`);
const { lostAfter2xx, lostThoughRepeated, refused, lostOtherwise, doubled } = argyle;
const missed = lostAfter2xx + lostThoughRepeated + refused + lostOtherwise + doubled;
console.log(missed === 0 ? '\n1 passed, 0 failed' : `\n0 passed, 1 failed: ${missed} events lost, refused or doubled`);
process.exitCode = missed === 0 ? 0 : 1;
