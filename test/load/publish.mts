// `npm run load:publish [-- --older]`: events at a steady rate while a trigger is changed and published again and again, and n8n
// is restarted; for the Argyle Trigger and, under the same rule of repeats, for n8n's own GitHub Trigger.
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { unended } from '../n8n/database.mts';
import { argyleTrigger, inARow, n8nNode, type SavedNode } from '../n8n/nodes.mts';
import { until } from '../n8n/until.mts';
import { World } from '../n8n/world.mts';
import { startService } from '../service/index.mts';
import { startGitHub } from './github.mts';
import { type Source, streamDuring } from './source.mts';
import { type Tally, tally } from './tally.mts';

const PER_SECOND = 20;
const PUBLISHES = 10;
const LATENCY_MS = 100;
const BETWEEN_MS = 2_500;
/** Argyle's 30 s would only make the run longer. */
const TIMING = { timeoutMs: 10_000, retryAfterMs: 10_000 };

const path = process.argv.includes('--older') ? 'older' : 'default';

/** Publishes a workflow of the trigger, and changes it under load. `changed` gives the trigger with other settings. */
async function play(world: World, source: Source, first: SavedNode, changed: (round: number) => SavedNode) {
	const following = n8nNode('Done', 'noOp');
	const save = (trigger: SavedNode) => [trigger, following];
	let workflow = await world.client.createWorkflow(first.name, save(first), inARow(save(first)));
	await world.client.publish(workflow);
	const publishing: number[] = [];
	const sent = await streamDuring(source, PER_SECOND, async () => {
		await wait(BETWEEN_MS);
		for (let round = 0; round < PUBLISHES; round++) {
			const nodes = save(changed(round));
			workflow = await world.client.updateWorkflow(workflow, nodes, inARow(nodes));
			const before = Date.now();
			await world.client.publish(workflow);
			publishing.push(Date.now() - before);
			await wait(BETWEEN_MS);
		}
		await world.restart('asked');
		await wait(BETWEEN_MS);
	});
	await until('all executions have ended', 120_000, async () =>
		unended(world.n8n, workflow.id) === 0 ? true : undefined,
	);
	const result = tally(world.n8n, workflow.id, sent);
	await world.client.unpublish(workflow.id);
	return result;
}

async function playArgyle(world: World): Promise<Tally> {
	const service = await startService({ requestsPerSecond: 1_000, latencyMs: LATENCY_MS, ...timingOptions });
	const { id, secret } = service.key;
	const credential = await world.client.createCredential('Argyle', 'argyleApi', {
		environment: 'custom',
		baseUrl: service.origin,
		apiKeyId: id,
		apiKeySecret: secret,
	});
	const options = { skipDuplicates: true };
	const trigger = argyleTrigger(credential, { options });
	const source: Source = {
		deliver: async (form) =>
			await service.deliver('user_forms.submitted', { account: 'a', user: 'u', user_form: form }),
	};
	const events = [['user_forms.submitted', 'user_forms.removed'], ['user_forms.submitted']];
	const result = await play(world, source, trigger, (round) => ({
		...trigger,
		parameters: { events: events[round % 2], options },
	}));
	await service.stop();
	return result;
}

const timingOptions = { deliveryTimeoutMs: TIMING.timeoutMs, retryAfterMs: TIMING.retryAfterMs };

async function playGitHub(world: World): Promise<Tally> {
	const github = await startGitHub(LATENCY_MS, TIMING);
	const fields = { server: github.origin, user: 'u', accessToken: 't' };
	const credential = await world.client.createCredential('GitHub', 'githubApi', fields);
	const by = (value: string) => ({ __rl: true, mode: 'name', value });
	const settings = (events: string[]) => ({ owner: by('o'), repository: by('r'), events, options: {} });
	const trigger: SavedNode = {
		...n8nNode('GitHub Trigger', 'githubTrigger', settings(['push'])),
		credentials: { githubApi: credential },
		webhookId: randomUUID(),
	};
	const events = [['push', 'fork'], ['push']];
	const result = await play(world, github, trigger, (round) => ({
		...trigger,
		parameters: settings(events[round % 2] ?? []),
	}));
	await github.stop();
	return result;
}

const world = await World.start(path);
const argyle = await playArgyle(world);
const github = await playGitHub(world);
await world.end();

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
