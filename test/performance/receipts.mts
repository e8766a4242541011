import { setTimeout as wait } from 'node:timers/promises';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { ACCOUNT_PER_SECOND, elapsedMs, type FakeReceiptsOptions, startFakeReceipts } from './fakeReceipts.mts';
import { fixed, type Row, section } from './markdown.mts';
import {
	argyleContender,
	type FetchReceipts,
	fetchingLoop,
	httpContender,
	newUsers,
	OWN_PER_SECOND,
	publishFetching,
} from './receiptContenders.mts';

const RECEIPTS = 500;
const LATENCIES_MS = [20, 200, 1_000, 3_000];

/** With a service of its own each time: a client must not profit from what it has learned about another latency. */
async function compare(fixture: N8nFixture, options: FakeReceiptsOptions, count: number): Promise<Row[]> {
	const service = await startFakeReceipts(options);
	const loop = fetchingLoop(service, OWN_PER_SECOND);
	const fetching = new Map<string, FetchReceipts>([[`loop without n8n at ${OWN_PER_SECOND} a second`, loop]]);
	for (const contender of [
		await argyleContender(fixture, service),
		await httpContender(fixture, service, { batchSize: OWN_PER_SECOND, batchInterval: 1_000 }),
	])
		fetching.set(contender.name, await publishFetching(fixture, contender));
	const rows: Row[] = [];
	let loopMs = NaN;
	for (const [name, fetchReceipts] of fetching) {
		service.takeCounts();
		const failed = await fetchReceipts(newUsers(count));
		const counts = service.takeCounts();
		const ms = elapsedMs(counts);
		if (fetchReceipts === loop) loopMs = ms;
		const { rateLimited, connections } = counts;
		rows.push([name, fixed(ms / 1_000, 2), fixed(ms / loopMs, 3), failed, rateLimited, connections]);
		// What this one used of the account's rate must not be missing for the next.
		await wait(2_000);
	}
	await service.stop();
	return rows;
}

/** How fast many receipts are fetched, from a service that is near or far away. */
export async function* receipts(): AsyncGenerator<string> {
	const fixture = await startN8nFixture();
	const requestsPerSecond = ACCOUNT_PER_SECOND;
	// The first execution of a node takes n8n longer than all others.
	await compare(fixture, { latencyMs: 0, requestsPerSecond }, 10);
	const rows: Row[] = [];
	for (const latencyMs of LATENCIES_MS)
		rows.push(
			...(await compare(fixture, { latencyMs, requestsPerSecond }, RECEIPTS)).map((cells) => [latencyMs, ...cells]),
		);
	yield section(
		`${RECEIPTS} receipts, ${requestsPerSecond} requests a second`,
		['answer after, ms', '', 'seconds', 'relative to the loop', 'failed', '429s', 'connections'],
		rows,
		'Whether the rate is reached however long an answer takes. Times are from the first request to the last receipt.',
	);
	await fixture.stop();
}
