import { setTimeout as wait } from 'node:timers/promises';
import { isJson } from '../support/json.mts';
import { startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleTrigger, n8nNode } from '../support/n8n/nodes.mts';
import { percentile } from '../support/statistics.mts';
import { publishWorkflow } from './contender.mts';
import { fixed, type Row, section } from './markdown.mts';

const PER_SECOND = 2;
const SECONDS = 40;
const SERVICE_TAKES_MS = 6_000;
const AWAY_MS = 30_000;

const WRITTEN = 'Corner Bakery';

/** How fast deliveries are answered, and whether their items are complete, while Argyle itself is slow or away. */
export async function* slowService(): AsyncGenerator<string> {
	const fixture = await startN8nFixture();
	const { argyle, credential } = await fixture.connectArgyle();
	const trigger = argyleTrigger(credential);
	const { id } = await publishWorkflow(fixture.client, 'Slow', [trigger, n8nNode('Done', 'noOp')]);
	await argyle.submitForm();

	const rows: Row[] = [];
	let executions = 1;
	async function measure(what: string, begin: () => Promise<void>, end: () => Promise<void>): Promise<void> {
		const latenciesMs: number[] = [];
		const submit = async () => {
			const sentAt = performance.now();
			const { attempts } = await argyle.submitForm({ incomeSource: WRITTEN });
			if (attempts[0]?.status === 200) latenciesMs.push(performance.now() - sentAt);
		};
		await begin();
		const submitted: Array<Promise<void>> = [];
		for (let count = 0; count < PER_SECOND * SECONDS; count++) {
			submitted.push(submit());
			await wait(1_000 / PER_SECOND);
		}
		await Promise.all(submitted);
		await end();
		const all = await fixture.client.waitForExecutions(id, executions + submitted.length, 180_000);
		const own = all.slice(0, all.length - executions);
		executions = all.length;
		const items = await Promise.all(own.map(async (execution) => await fixture.client.execution(execution.id)));
		const complete = items.filter(({ output }) => {
			const form = output[trigger.name]?.[0]?.json.userForm;
			return isJson(form) && isJson(form.data) && form.data.income_source === WRITTEN;
		});
		const times = [0.5, 0.99].map((part) => fixed(percentile(latenciesMs, part), 0));
		rows.push([what, submitted.length, latenciesMs.length, ...times, complete.length]);
	}

	await measure(
		'as ever',
		async () => {},
		async () => {},
	);
	await measure(
		`takes ${SERVICE_TAKES_MS / 1_000} s for each answer`,
		async () => argyle.addFault({ kind: 'slow', delayMs: SERVICE_TAKES_MS, times: Infinity }),
		async () => argyle.clearFaults(),
	);
	await measure(
		`is away for ${AWAY_MS / 1_000} s`,
		async () => {
			await argyle.goOffline();
			void wait(AWAY_MS).then(async () => await argyle.goOnline());
		},
		async () => {},
	);
	await fixture.stop();
	const columns = ['Argyle', 'deliveries', 'answered 200', 'p50, ms', 'p99, ms', 'items with what was written'];
	yield section(
		'Deliveries while Argyle itself is slow or away',
		columns,
		rows,
		`${PER_SECOND} a second for ${SECONDS} s.`,
	);
}
