import { setTimeout as wait } from 'node:timers/promises';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { ACCOUNT_PER_SECOND, elapsedMs, type FakeReceipts, startFakeReceipts } from './fakeReceipts.mts';
import { fixed, type Row, section } from './markdown.mts';
import { argyleContender, type FetchReceipts, newUsers, publishFetching } from './receiptContenders.mts';

const PROCESSES = 3;
const RECEIPTS_EACH = 300;
const ROUNDS = 3;
const LATENCY_MS = 200;

const publishArgyle = async (fixture: N8nFixture, service: FakeReceipts) =>
	await publishFetching(fixture, await argyleContender(fixture, service));

/** Only of those that got one. */
const timesOf = (users: string[], receivedAt: Map<string, number>) =>
	users.flatMap((user) => receivedAt.get(user) ?? []);

async function oneRound(service: FakeReceipts, fetching: FetchReceipts[]): Promise<Row> {
	const shares = fetching.map((fetchReceipts) => ({ fetchReceipts, users: newUsers(RECEIPTS_EACH) }));
	service.takeCounts();
	const failed = await Promise.all(shares.map(async ({ fetchReceipts, users }) => await fetchReceipts(users)));
	const counts = service.takeCounts();
	const { requests, rateLimited, firstRequestAt, receivedAt } = counts;
	const shareMs = shares.map(({ users }) => Math.max(...timesOf(users, receivedAt)) - firstRequestAt);
	const seconds = elapsedMs(counts) / 1_000;
	return [
		fixed(seconds, 2),
		fixed((seconds * ACCOUNT_PER_SECOND) / (PROCESSES * RECEIPTS_EACH), 3),
		requests,
		rateLimited,
		fixed((rateLimited / requests) * 100),
		fixed(Math.max(...shareMs) / Math.min(...shareMs), 3),
		failed.reduce((sum, count) => sum + count, 0),
	];
}

/** Whether processes that share an account get on with each other. */
export async function* sharedAccount(): AsyncGenerator<string> {
	const service = await startFakeReceipts({ latencyMs: LATENCY_MS, requestsPerSecond: ACCOUNT_PER_SECOND });
	const fixtures: N8nFixture[] = [];
	const fetching: FetchReceipts[] = [];
	// One after the other: together they could miss the deadline for a start of n8n.
	while (fixtures.length < PROCESSES) {
		const fixture = await startN8nFixture();
		const fetchReceipts = await publishArgyle(fixture, service);
		// An n8n that has run nothing yet would begin later than the others.
		await fetchReceipts(newUsers(10));
		fixtures.push(fixture);
		fetching.push(fetchReceipts);
	}
	const rows: Row[] = [];
	for (let round = 1; round <= ROUNDS; round++) {
		await wait(2_000);
		rows.push([round, ...(await oneRound(service, fetching))]);
	}
	for (const fixture of fixtures) await fixture.stop();
	await service.stop();
	yield section(
		`${PROCESSES} n8n processes with one account, ${RECEIPTS_EACH} receipts each`,
		['round', 'seconds', 'relative to the limit', 'requests', '429s', '429s, %', 'slowest to fastest', 'failed'],
		rows,
		`Whether processes that know nothing of each other share ${ACCOUNT_PER_SECOND} requests a second. All begin at once; answers take ${LATENCY_MS} ms; times are from the first request of all.`,
	);
}
