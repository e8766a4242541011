// `npm run test:faults`: does every wrong of the table to a real n8n, on both of its activation paths, and prints how each heals.
import { awayRows, stepRows } from './requestFaults.mts';
import type { Row } from './faultCase.mts';
import { Scene } from './fixture.mts';
import { lifeRows } from './lifecycleFaults.mts';
import { processRows } from './processFaults.mts';
import { type Path, World } from '../support/n8n/fixture.mts';

/** n8n publishes five workflows at a time. */
const AT_ONCE = 4;

const only = process.argv[2];
const rows = [...stepRows, ...awayRows, ...lifeRows, ...processRows].filter(
	({ fault }) => only === undefined || fault.includes(only),
);
const failures: string[] = [];
let passed = 0;

function say(row: Row, path: Path, result: string): void {
	console.log(`| ${row.fault} | ${path} | ${result} |`);
}

async function play(row: Row, world: World): Promise<void> {
	const scene = await Scene.set(world, `${row.fault} (${world.path})`);
	try {
		const seconds = await row.run(scene);
		const needs = world.path === 'older' ? (row.needsOnOlder ?? row.needs) : row.needs;
		scene.ours();
		await world.client.archive(scene.workflow.id).catch(() => undefined);
		await scene.becomesClear();
		scene.checkTheRest();
		passed++;
		say(row, world.path, `${Math.max(0, seconds).toFixed(1)} s | ${needs}`);
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		failures.push(`${row.fault} (${world.path}): ${message}`);
		say(row, world.path, `NOT HEALED: ${message.split('\n')[0]} | `);
	} finally {
		await scene.service.stop();
	}
}

async function playAll(path: Path): Promise<void> {
	const mine = rows.filter(({ paths }) => paths === undefined || paths.includes(path));
	// A dead process's lease is waited for by the row that kills n8n.
	const beside = mine.filter(({ isAlone }) => isAlone !== true);
	const world = await World.start(path);
	const waiting = [...beside];
	await Promise.all(
		Array.from({ length: AT_ONCE }, async () => {
			for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) await play(row, world);
		}),
	);
	await world.end();
	for (const row of mine.filter(({ isAlone }) => isAlone === true)) {
		const own = await World.start(path, { N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20' });
		await play(row, own);
		await own.end();
	}
}

console.log('| What goes wrong | n8n path | healed within | needed |\n|---|---|---|---|');
await Promise.all([playAll('default'), playAll('older')]);
for (const failure of failures) console.error(`\n${failure}`);
console.log(`\n${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
