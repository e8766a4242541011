// `npm run load:gaps`: for how long n8n takes no deliveries while a changed trigger is published, on both of its paths, for the Argyle
// Trigger and for n8n's own GitHub Trigger.
import { type ActivationMode, N8nFixture } from '../support/n8n/fixture.mts';
import { median } from '../support/statistics.mts';
import { type Act, change, closeAct, type Gap, gapDuring, openAct } from './acts.mts';
import { argyleSide, gitHubSide } from './sides.mts';

const PUBLISHES = 10;
const LATENCY_MS = 100;
const TIMING = { timeoutMs: 10_000, retryAfterMs: 30_000 };

/** Both need two requests; the Argyle Trigger may not be behind by what a third would cost. */
const MOST_BEHIND_MS = LATENCY_MS;

/** Publishes a change of each act again and again, in turns, so that all meet the same hour of this machine; gives the gaps of each. */
async function measure(world: N8nFixture, acts: Act[]): Promise<Gap[][]> {
	const gaps = acts.map((): Gap[] => []);
	for (let round = 0; round < PUBLISHES; round++)
		for (const [index, act] of acts.entries())
			gaps[index]?.push(await gapDuring(act, async () => await change(world, act, round)));
	return gaps;
}

const range = (values: number[]) => `${median(values)} (${Math.min(...values)}–${Math.max(...values)})`;

const paths: ActivationMode[] = ['publication', 'legacy'];
const behind: number[] = [];
console.log(`${PUBLISHES} publishes each, API answers after ${LATENCY_MS} ms; gaps in ms: median (shortest–longest)\n`);
console.log(`| n8n's path | trigger | no address | no subscription | one or the other |\n|---|---|---|---|---|`);
for (const path of paths) {
	const world = await N8nFixture.start(path);
	const acts: Act[] = [];
	for (const makeSide of [argyleSide, gitHubSide])
		acts.push(await openAct(world, await makeSide(world.client, LATENCY_MS, TIMING)));
	const gaps = await measure(world, acts);
	for (const [index, { side }] of acts.entries()) {
		const column = (kind: keyof Gap) => range((gaps[index] ?? []).map((gap) => gap[kind]));
		console.log(`| ${path} | ${side.name} | ${column('address')} | ${column('subscription')} | ${column('either')} |`);
	}
	const [argyle = 0, github = 0] = gaps.map((all) => median(all.map(({ either }) => either)));
	behind.push(argyle - github);
	for (const act of acts) await closeAct(world, act);
	await world.end();
}
const missed = behind.filter((ms) => ms > MOST_BEHIND_MS);
console.log(
	missed.length === 0
		? `\n${paths.length} passed, 0 failed`
		: `\n${paths.length - missed.length} passed, ${missed.length} failed: the gap is ${missed.join(' and ')} ms longer than the GitHub Trigger's`,
);
process.exitCode = missed.length === 0 ? 0 : 1;
