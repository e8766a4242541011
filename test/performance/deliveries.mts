import { setTimeout as wait } from 'node:timers/promises';
import { isJson } from '../support/json.mts';
import { SANDBOX_WHEN_NEEDED } from '../support/n8n/process.mts';
import type { N8nClient } from '../support/n8n/client.mts';
import { until } from '../support/n8n/until.mts';
import { startN8nFixture } from '../support/n8n/fixture.mts';
import { startQueueFixture } from '../support/n8n/queueFixture.mts';
import { percentile } from '../support/statistics.mts';
import {
	argyleDeliveries,
	bareWebhook,
	checkedWebhook,
	type DeliverySide,
	gitHubDeliveries,
	installNothing,
	nothingDeliveries,
} from './triggerContenders.mts';
import { fixed, type Row, section } from './markdown.mts';

const ROUNDS = 3;
const PER_ROUND = 120;
const AT_ONCE = 10;

const SETTING = Object.entries(SANDBOX_WHEN_NEEDED).flat().join('=');

/** What one side did in all rounds. */
interface Measured {
	side: DeliverySide;
	/** Milliseconds, of each delivery. */
	answers: number[];
	/** Seconds, from the first delivery to the end of the last execution, over all rounds. */
	seconds: number;
	refused: number;
}

async function isBusy(client: N8nClient, workflowId: string): Promise<boolean> {
	const filter = encodeURIComponent(JSON.stringify({ workflowId, status: ['new', 'running', 'waiting'] }));
	const found = await client.call('GET', `/executions?filter=${filter}&limit=1`);
	return isJson(found) && Array.isArray(found.results) && found.results.length > 0;
}

/** Sends some deliveries, ten at a time, to one address after the other; ends when all their executions have. */
async function round(client: N8nClient, origins: string[], measured: Measured, count: number): Promise<void> {
	const { side } = measured;
	const startedAt = performance.now();
	let sent = 0;
	async function sender(): Promise<void> {
		while (sent < count) {
			const origin = origins[sent++ % origins.length] ?? '';
			const before = performance.now();
			if ((await side.send(origin)) !== 200) measured.refused++;
			measured.answers.push(performance.now() - before);
		}
	}
	await Promise.all(Array.from({ length: AT_ONCE }, sender));
	await until('all executions have ended', 120_000, async () =>
		(await isBusy(client, side.workflowId)) ? undefined : true,
	);
	measured.seconds += (performance.now() - startedAt) / 1_000;
}

/** Measures the sides in turns, so that all meet the same moods of the machine; the first round warms up. */
async function measure(client: N8nClient, origins: string[], sides: DeliverySide[]): Promise<Measured[]> {
	const start = (side: DeliverySide): Measured => ({ side, answers: [], seconds: 0, refused: 0 });
	for (const side of sides) await round(client, origins, start(side), PER_ROUND / 3);
	const all = sides.map(start);
	for (let index = 0; index < ROUNDS; index++)
		for (const measured of [...all.slice(index % all.length), ...all.slice(0, index % all.length)]) {
			await round(client, origins, measured, PER_ROUND);
			await wait(500);
		}
	return all;
}

const perSecond = ({ answers, seconds }: Measured) => answers.length / seconds;

function row(measured: Measured, base: Measured | undefined, name = measured.side.name): Row {
	const ratio = base === undefined ? '' : fixed(perSecond(measured) / perSecond(base), 2);
	const milliseconds = [0.5, 0.99].map((part) => fixed(percentile(measured.answers, part), 0));
	return [name, fixed(perSecond(measured)), ratio, ...milliseconds, measured.refused];
}

const COLUMNS = [
	'side',
	'a second',
	'to the trigger that does nothing',
	'answer p50, ms',
	'p99, ms',
	'not answered 200',
];

/** One n8n with its settings; all sides. */
async function oneProcess(title: string, env: Record<string, string>): Promise<string> {
	const world = await startN8nFixture({ activation: 'publication', env, install: installNothing });
	const { client, n8n } = world;
	const sides = [
		await nothingDeliveries(client),
		await argyleDeliveries(client),
		await gitHubDeliveries(client),
		await checkedWebhook(client),
		await bareWebhook(client),
	];
	const all = await measure(client, [n8n.origin], sides);
	for (const side of sides) await side.stop();
	await world.stop();
	const note = `Trigger → No Operation, ${AT_ONCE} at a time, ${ROUNDS} × ${PER_ROUND} each in turns, SQLite; until the last execution has ended.`;
	return section(
		title,
		COLUMNS,
		all.map((measured) => row(measured, all[0])),
		note,
	);
}

/** n8n's queue mode with one, two and three webhook processes. */
async function webhookProcesses(): Promise<string> {
	const stage = await startQueueFixture(SANDBOX_WHEN_NEEDED);
	const side = await argyleDeliveries(stage.client);
	const rows: Row[] = [];
	const origins = [stage.webhook.origin];
	for (let count = 1; count <= 3; count++) {
		const [measured] = await measure(stage.client, origins, [side]);
		if (measured !== undefined) rows.push(row(measured, undefined, `${count} webhook processes, 2 workers`));
		if (count < 3) origins.push((await stage.addWebhookProcess()).origin);
	}
	await side.stop();
	await stage.stop();
	const title = `The Argyle Trigger in queue mode, all processes on these cores (${SETTING})`;
	return section(title, COLUMNS, rows);
}

/** d) How many deliveries n8n takes, by every trigger. */
export async function deliveries(): Promise<string> {
	return [
		await oneProcess('Deliveries, n8n as it comes', {}),
		await oneProcess(`Deliveries, n8n sets up a sandbox only for expressions (${SETTING})`, SANDBOX_WHEN_NEEDED),
		await webhookProcesses(),
	].join('\n');
}
