// `npm run test:faults`: does every wrong of the table to a real n8n, on both of its activation paths, and prints how each heals.
import { awayRows, stepRows } from './requestFaults.mts';
import type { FaultCase } from './faultCase.mts';
import { FaultFixture } from './fixture.mts';
import { lifeRows } from './lifecycleFaults.mts';
import { processRows } from './processFaults.mts';
import { type ActivationMode, type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';

/** n8n publishes five workflows at a time. */
const AT_ONCE = 4;

const only = process.argv[2];
const rows = [...stepRows, ...awayRows, ...lifeRows, ...processRows].filter(
	({ fault }) => only === undefined || fault.includes(only),
);
const failures: string[] = [];
let passed = 0;

function say(row: FaultCase, path: ActivationMode, result: string): void {
	console.log(`| ${row.fault} | ${path} | ${result} |`);
}

async function play(row: FaultCase, world: N8nFixture): Promise<void> {
	const scene = await FaultFixture.set(world, `${row.fault} (${world.activation})`);
	try {
		const seconds = await row.run(scene);
		const needs = world.activation === 'legacy' ? (row.neededWithLegacyActivation ?? row.needed) : row.needed;
		scene.ownSubscriptions();
		await world.client.archive(scene.workflow.id).catch(() => undefined);
		await scene.expectRemoved();
		scene.expectNoSideEffects();
		passed++;
		say(row, world.activation, `${Math.max(0, seconds).toFixed(1)} s | ${needs}`);
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		failures.push(`${row.fault} (${world.activation}): ${message}`);
		say(row, world.activation, `NOT HEALED: ${message.split('\n')[0]} | `);
	} finally {
		await scene.service.stop();
	}
}

async function playAll(path: ActivationMode): Promise<void> {
	const mine = rows.filter(({ activations: paths }) => paths === undefined || paths.includes(path));
	// A dead process's lease is waited for by the row that kills n8n.
	const beside = mine.filter(({ isAlone }) => isAlone !== true);
	const world = await startN8nFixture({ activation: path });
	const waiting = [...beside];
	await Promise.all(
		Array.from({ length: AT_ONCE }, async () => {
			for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) await play(row, world);
		}),
	);
	await world.stop();
	for (const row of mine.filter(({ isAlone }) => isAlone === true)) {
		const own = await startN8nFixture({
			activation: path,
			env: { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20' },
		});
		await play(row, own);
		await own.stop();
	}
}

console.log('| What goes wrong | n8n path | healed within | needed |\n|---|---|---|---|');
await Promise.all([playAll('publication'), playAll('legacy')]);
for (const failure of failures) console.error(`\n${failure}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
