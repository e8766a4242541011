// `npm run load:gaps`: for how long n8n takes no deliveries while a changed trigger is published and while n8n restarts, on both of its
// paths, for the Argyle Trigger and for n8n's own GitHub Trigger; and what it answers meanwhile.
import { setTimeout as wait } from 'node:timers/promises';
import { inARow, n8nNode, type SavedNode } from '../n8n/nodes.mts';
import type { StoredWorkflow } from '../n8n/rest.mts';
import { until } from '../n8n/until.mts';
import { type Path, World } from '../n8n/world.mts';
import { lookAtAddress, THERE } from './address.mts';
import { argyleSide, gitHubSide, type Side } from './sides.mts';
import { lengthOf, type Span, watch } from './watch.mts';

const PUBLISHES = 10;
const LATENCY_MS = 100;
const LOOK_EVERY_MS = 10;
const TIMING = { timeoutMs: 10_000, retryAfterMs: 30_000 };

/** Two requests to the service are needed; what a third would cost, the Argyle Trigger may not be behind. */
const MOST_BEHIND_MS = LATENCY_MS;

/** The gaps of one publish, in milliseconds. */
interface Gap {
	address: number;
	subscription: number;
	either: number;
}

const gone = (spans: Span[]) => spans.filter(({ what }) => what !== THERE);

/** Watches the trigger's address and its subscription while `work` is done, and until both are there again. */
async function watched(side: Side, url: string, work: () => Promise<void>): Promise<{ gap: Gap; answers: Span[] }> {
	const address = watch(async () => await lookAtAddress(url), LOOK_EVERY_MS);
	const subscription = watch(() => (side.subscriptions() > 0 ? THERE : 'none'), LOOK_EVERY_MS);
	await work();
	await until('it is whole again', 60_000, async () =>
		address.latest() === THERE && subscription.latest() === THERE ? true : undefined,
	);
	const answers = await address.stop();
	const without = gone(await subscription.stop());
	const gap = {
		address: lengthOf(gone(answers)),
		subscription: lengthOf(without),
		either: lengthOf([...gone(answers), ...without]),
	};
	return { gap, answers };
}

/** A published workflow of one side. */
interface Act {
	side: Side;
	url: string;
	save: (trigger: SavedNode) => SavedNode[];
	workflow: StoredWorkflow;
	gaps: Gap[];
}

async function open(world: World, side: Side): Promise<Act> {
	const following = n8nNode('Done', 'noOp');
	const save = (trigger: SavedNode) => [trigger, following];
	const workflow = await world.client.createWorkflow(side.name, save(side.trigger), inARow(save(side.trigger)));
	await world.client.publish(workflow);
	return { side, url: `${world.n8n.origin}/webhook/${side.trigger.webhookId}/webhook`, save, workflow, gaps: [] };
}

/** Publishes a change ten times each, in turns, so that both meet the same hour of this machine; then restarts n8n for each. */
async function measure(world: World, sides: Side[]) {
	const acts: Act[] = [];
	for (const side of sides) acts.push(await open(world, side));
	for (let round = 0; round < PUBLISHES; round++)
		for (const act of acts) {
			const nodes = act.save(act.side.changed(round));
			act.workflow = await world.client.updateWorkflow(act.workflow, nodes, inARow(nodes));
			const { gap } = await watched(act.side, act.url, async () => {
				await wait(10 * LOOK_EVERY_MS);
				await world.client.publish(act.workflow);
			});
			act.gaps.push(gap);
		}
	const results: Array<{ name: string; gaps: Gap[]; restart: Span[] }> = [];
	for (const { side, url, gaps } of acts) {
		const { answers } = await watched(side, url, async () => {
			await wait(10 * LOOK_EVERY_MS);
			await world.restart('asked');
		});
		results.push({ name: side.name, gaps, restart: answers });
	}
	for (const { side, workflow } of acts) {
		await world.client.unpublish(workflow.id);
		await side.stop();
	}
	return results;
}

const median = (values: number[]) => [...values].sort((one, other) => one - other)[values.length >> 1] ?? 0;
const range = (values: number[]) => `${median(values)} (${Math.min(...values)}–${Math.max(...values)})`;

/** What was answered one after the other between the first and the last time that the address was there. */
const told = (answers: Span[]) =>
	answers
		.slice(1, -1)
		.map(({ what, from, to }) => `${what} ${((to - from) / 1_000).toFixed(2)} s`)
		.join(' → ');

const paths: Path[] = ['default', 'older'];
const behind: number[] = [];
const restarts: string[] = [];
console.log(`${PUBLISHES} publishes each, API answers after ${LATENCY_MS} ms; gaps in ms: median (shortest–longest)\n`);
console.log(`| n8n's path | trigger | no address | no subscription | one or the other |\n|---|---|---|---|---|`);
for (const path of paths) {
	const world = await World.start(path);
	const sides = [await argyleSide(world, LATENCY_MS, TIMING), await gitHubSide(world, LATENCY_MS, TIMING)];
	const results = await measure(world, sides);
	for (const { name, gaps, restart } of results) {
		const column = (kind: keyof Gap) => range(gaps.map((gap) => gap[kind]));
		restarts.push(`| ${path} | ${name} | ${told(restart)} |`);
		console.log(`| ${path} | ${name} | ${column('address')} | ${column('subscription')} | ${column('either')} |`);
	}
	await world.end();
	const [argyle = 0, github = 0] = results.map(({ gaps }) => median(gaps.map(({ either }) => either)));
	behind.push(argyle - github);
}
console.log(`\n| n8n's path | trigger | what a call to its address gets while n8n restarts |\n|---|---|---|`);
console.log(restarts.join('\n'));
const missed = behind.filter((ms) => ms > MOST_BEHIND_MS);
console.log(
	missed.length === 0
		? `\n${paths.length} passed, 0 failed`
		: `\n${paths.length - missed.length} passed, ${missed.length} failed: the gap is ${missed.join(' and ')} ms longer than the GitHub Trigger's`,
);
process.exitCode = missed.length === 0 ? 0 : 1;
