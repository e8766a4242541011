// `npm run load:gaps`: for how long n8n takes no deliveries while a changed trigger is published and while n8n restarts, on both of its
// paths, for the Argyle Trigger and for n8n's own GitHub Trigger; and what it answers meanwhile.
import { setTimeout as wait } from 'node:timers/promises';
import { inARow, n8nNode, type SavedNode } from '../n8n/nodes.mts';
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

async function measure(world: World, side: Side): Promise<{ gaps: Gap[]; restart: Span[] }> {
	const following = n8nNode('Done', 'noOp');
	const save = (trigger: SavedNode) => [trigger, following];
	let workflow = await world.client.createWorkflow(side.name, save(side.trigger), inARow(save(side.trigger)));
	await world.client.publish(workflow);
	const url = `${world.n8n.origin}/webhook/${side.trigger.webhookId}/webhook`;
	const gaps: Gap[] = [];
	for (let round = 0; round < PUBLISHES; round++) {
		const nodes = save(side.changed(round));
		workflow = await world.client.updateWorkflow(workflow, nodes, inARow(nodes));
		const { gap } = await watched(side, url, async () => {
			await wait(10 * LOOK_EVERY_MS);
			await world.client.publish(workflow);
		});
		gaps.push(gap);
	}
	const { answers } = await watched(side, url, async () => {
		await wait(10 * LOOK_EVERY_MS);
		await world.restart('asked');
	});
	await world.client.unpublish(workflow.id);
	await side.stop();
	return { gaps, restart: answers };
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
	const medians: number[] = [];
	for (const makeSide of [argyleSide, gitHubSide]) {
		const side = await makeSide(world, LATENCY_MS, TIMING);
		const { gaps, restart } = await measure(world, side);
		const column = (name: keyof Gap) => range(gaps.map((gap) => gap[name]));
		medians.push(median(gaps.map(({ either }) => either)));
		restarts.push(`| ${path} | ${side.name} | ${told(restart)} |`);
		console.log(`| ${path} | ${side.name} | ${column('address')} | ${column('subscription')} | ${column('either')} |`);
	}
	await world.end();
	const [argyle = 0, github = 0] = medians;
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
