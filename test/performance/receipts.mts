import { setTimeout as wait } from 'node:timers/promises';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { median } from '../support/statistics.mts';
import { fixed, type Row, section } from './markdown.mts';
import { peakDuring, residentMemory } from './sampler.mts';
import { argyleReceipts, bareLoop, httpReceipts, noReceipts, type ReceiptSide } from './receiptContenders.mts';
import { ReceiptService } from './fakeReceipts.mts';

const LATENCY_MS = 200;
const PER_SECOND = 50;
/** What the Argyle node keeps to by itself. */
const PACE = 45;
const MIB = 1024 * 1024;

/** a) 500 receipts, every way. */
export async function manyReceipts(): Promise<string> {
	const world = await startN8nFixture({ activation: 'publication' });
	const service = await new ReceiptService(LATENCY_MS, PER_SECOND).start();
	const base = bareLoop(service, PACE);
	const sides: ReceiptSide[] = [
		base,
		await argyleReceipts(world, service),
		await httpReceipts(world, service),
		await httpReceipts(world, service, { batchSize: PACE, batchInterval: 1_000 }),
		await httpReceipts(world, service, { batchSize: 9, batchInterval: 200 }),
	];
	const rows: Row[] = [];
	let baseMs = NaN;
	for (const side of sides) {
		service.count();
		const failed = await side.fetch(500);
		const { tookMs, tooMany } = service.count();
		if (side === base) baseMs = tookMs;
		rows.push([side.name, fixed(tookMs / 1_000, 2), fixed(tookMs / baseMs, 3), failed, tooMany]);
		await wait(2_000);
	}
	await world.stop();
	await service.stop();
	return section(
		`500 receipts, answers after ${LATENCY_MS} ms, ${PER_SECOND} requests a second`,
		['side', 'seconds', 'to the bare loop', 'failed', '429s'],
		rows,
		'From the first request to the last receipt.',
	);
}

const COUNTS = [10, 100, 1_000, 10_000];

/** V8's own bound follows the machine's memory, and it frees only when it comes near it: a smaller one shows what is really needed. */
const BOUND_MIB = 512;
const BOUNDED = { NODE_OPTIONS: `--max-old-space-size=${BOUND_MIB}` };

/** What one side needs for more and more items, in an n8n of its own. */
async function growthOf(
	make: (world: N8nFixture, service: ReceiptService) => Promise<ReceiptSide>,
	env: Record<string, string> = {},
) {
	const world = await startN8nFixture({ activation: 'publication', env });
	const service = await new ReceiptService(LATENCY_MS, PER_SECOND).start();
	const side = await make(world, service);
	await side.fetch(10);
	const steps: Array<{ tookMs: number; tooMany: number; failed: number; peak: number }> = [];
	for (const count of COUNTS) {
		service.count();
		let failed = NaN;
		const peak = await peakDuring(world.n8n.pid, async () => (failed = await side.fetch(count)));
		steps.push({ ...service.count(), failed, peak });
	}
	await world.stop();
	await service.stop();
	return steps;
}

/** b) The growth with the number of receipts. */
export async function growth(): Promise<string> {
	const own = await growthOf(argyleReceipts);
	const base = await growthOf(noReceipts);
	const bounded = await growthOf(argyleReceipts, BOUNDED);
	const boundedBase = await growthOf(noReceipts, BOUNDED);
	const rows = COUNTS.map((count, index): Row => {
		const { tookMs = NaN } = own[index] ?? {};
		const sum = (what: 'failed' | 'tooMany') => (own[index]?.[what] ?? NaN) + (bounded[index]?.[what] ?? NaN);
		const times = [tookMs / 1_000, count / PACE].map((seconds) => fixed(seconds, 2));
		const peaks = [own, base, bounded, boundedBase].map((steps) => fixed(steps[index]?.peak ?? NaN, 0));
		return [count, ...times, sum('failed'), sum('tooMany'), ...peaks];
	});
	return section(
		'The Argyle node with more and more receipts',
		[
			'receipts',
			'seconds',
			'receipts ÷ 45',
			'failed, both runs',
			'429s, both runs',
			'peak, MiB',
			'peak with a node that does nothing',
			`peak with a heap of ${BOUND_MIB} MiB`,
			'that with a node that does nothing',
		],
		rows,
		`Peak of the resident memory of the whole n8n process. As it comes, V8 lets the heap grow before it frees; with NODE_OPTIONS=--max-old-space-size=${BOUND_MIB} it has to free earlier.`,
	);
}

/** c) One large receipt. */
export async function largeReceipts(): Promise<string> {
	const rows: Row[] = [];
	for (const make of [argyleReceipts, httpReceipts]) {
		const world = await startN8nFixture({ activation: 'publication' });
		const service = await new ReceiptService(0, PER_SECOND).start();
		const side = await make(world, service);
		for (let round = 0; round < 5; round++) await side.fetch(1);
		for (const mib of [10, 50, 200]) {
			service.bytes = mib * MIB;
			const above: number[] = [];
			for (let round = 0; round < 3; round++) {
				await wait(1_000);
				const idle = residentMemory(world.n8n.pid);
				above.push((await peakDuring(world.n8n.pid, async () => await side.fetch(1))) - idle);
			}
			const range = `${fixed(Math.min(...above))} to ${fixed(Math.max(...above))}`;
			rows.push([side.name, mib, fixed(median(above)), range]);
		}
		await world.stop();
		await service.stop();
	}
	return section(
		'One large receipt, kept in the file system',
		['side', 'MiB', 'peak above idle, MiB (middle of three)', 'from, to'],
		rows,
	);
}
