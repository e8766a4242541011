import { setTimeout as wait } from 'node:timers/promises';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { median } from '../support/statistics.mts';
import type { Contender } from './contender.mts';
import { ACCOUNT_PER_SECOND, elapsedMs, type FakeReceipts, startFakeReceipts } from './fakeReceipts.mts';
import { fixed, type Row, section } from './markdown.mts';
import {
	argyleContender,
	httpContender,
	newUsers,
	noOpContender,
	OWN_PER_SECOND,
	publishFetching,
} from './receiptContenders.mts';
import { HEAPS, peakMemoryDuring, residentMemory } from './sampler.mts';

type MakeContender = (fixture: N8nFixture, service: FakeReceipts) => Promise<Contender>;

const COUNTS = [10, 100, 1_000, 10_000];

/** What one contender needs for more and more receipts, in an n8n of its own. */
async function growthOf(makeContender: MakeContender, env: Record<string, string>): Promise<Row[]> {
	const fixture = await startN8nFixture({ activation: 'publication', env });
	const service = await startFakeReceipts({ latencyMs: 200, requestsPerSecond: ACCOUNT_PER_SECOND });
	const fetchReceipts = await publishFetching(fixture, await makeContender(fixture, service));
	await fetchReceipts(newUsers(10));
	const rows: Row[] = [];
	for (const count of COUNTS) {
		service.takeCounts();
		let failed = NaN;
		const peak = await peakMemoryDuring(fixture.n8n.pid, async () => (failed = await fetchReceipts(newUsers(count))));
		const counts = service.takeCounts();
		rows.push([fixed(elapsedMs(counts) / 1_000, 2), failed, counts.rateLimited, fixed(peak, 0)]);
	}
	await fixture.stop();
	await service.stop();
	return rows;
}

async function growth(): Promise<string> {
	const rows: Row[] = [];
	for (const [heap, env] of HEAPS) {
		const noOp = await growthOf(noOpContender, env);
		const argyle = await growthOf(argyleContender, env);
		for (const [index, count] of COUNTS.entries()) {
			const shortest = fixed(count / OWN_PER_SECOND, 2);
			rows.push([heap, count, shortest, ...(argyle[index] ?? []), noOp[index]?.at(-1) ?? '']);
		}
	}
	const columns = ['heap', 'receipts', `receipts ÷ ${OWN_PER_SECOND}`, 'seconds', 'failed', '429s', 'peak, MiB'];
	return section(
		'The Argyle node with more and more receipts',
		[...columns, 'peak with a no-op node'],
		rows,
		'Peak of the resident memory of the whole n8n process. The second heap is bounded by `--max-old-space-size=512`.',
	);
}

async function largeReceipts(): Promise<string> {
	const rows: Row[] = [];
	for (const makeContender of [argyleContender, httpContender]) {
		const fixture = await startN8nFixture({ activation: 'publication' });
		const service = await startFakeReceipts({ latencyMs: 0, requestsPerSecond: ACCOUNT_PER_SECOND });
		const contender = await makeContender(fixture, service);
		const fetchReceipts = await publishFetching(fixture, contender);
		for (let round = 0; round < 5; round++) await fetchReceipts(newUsers(1));
		for (const mib of [10, 50, 200]) {
			service.setSize(mib * 2 ** 20);
			const aboveIdle: number[] = [];
			for (let round = 0; round < 3; round++) {
				await wait(1_000);
				const idle = residentMemory(fixture.n8n.pid);
				const peak = await peakMemoryDuring(fixture.n8n.pid, async () => await fetchReceipts(newUsers(1)));
				aboveIdle.push(peak - idle);
			}
			const range = `${fixed(Math.min(...aboveIdle))} to ${fixed(Math.max(...aboveIdle))}`;
			rows.push([contender.name, mib, fixed(median(aboveIdle)), range]);
		}
		await fixture.stop();
		await service.stop();
	}
	const columns = ['', 'MiB', 'peak above idle, MiB (median of three)', 'range'];
	return section('One large receipt, kept in the file system', columns, rows);
}

/** With how much memory receipts are fetched: many, and large ones. */
export async function* memory(): AsyncGenerator<string> {
	yield await growth();
	yield await largeReceipts();
}
