import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { FakeArgyle } from '../support/fakeArgyle/index.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleNode, type CredentialRef, n8nNode, type SavedNode, webhookNode } from '../support/n8n/nodes.mts';
import { makeUserFolder } from '../support/n8n/userFolder.mts';
import { root } from '../support/paths.mts';
import type { Delivery } from './contender.mts';
import { fixed, type Row, section } from './markdown.mts';
import { percentile } from './percentile.mts';
import { argyleContender } from './triggerContenders.mts';

const SIZES = [300, 2_000, 10_000];

const BETWEEN_DELIVERIES_MS = 500;

const COLUMNS = [
	...['work', 'seconds', 'longest pause, ms', 'its processor time, ms'],
	...['answer p50, ms', 'answer max, ms', 'not answered 200', 'load'],
];

/** What an execution works on: rows that its webhook gets, or as many records at Argyle. */
interface Job {
	name: string;
	nodes: SavedNode[];
	/** The most that is tried, where more of it would only take longer: Argyle's rate, or n8n's own node. */
	maxCount?: number;
	/** Whether it gets one item, and reads as many records as there are. */
	isReading?: boolean;
}

const FIVE = ['firstName', 'lastName', 'email', 'phone', 'externalId'];

const rowsOf = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		...{ firstName: 'Alex', lastName: `Sample ${index}`, externalId: `crm-${index}` },
		// The last one stops Invite: Send once it has read all rows.
		email: index === count - 1 ? 'nobody' : `alex.${index}@example.com`,
		phone: `+1212555${String(index).padStart(4, '0')}`,
	}));

function jobs(credential: CredentialRef): Job[] {
	const argyle = (parameters: Record<string, unknown>) => [argyleNode(credential, parameters)];
	const assignments = FIVE.map((name) => ({ id: name, name, value: `={{ $json.${name} }}`, type: 'string' }));
	const [firstName, lastName, email, phoneNumber, externalId] = assignments.map(({ value }) => value);
	const all = { operation: 'getAll', returnAll: true, filters: {}, options: {} };
	const byExternalId = { __rl: true, mode: 'externalId', value: externalId };
	return [
		{ name: 'nothing', nodes: [n8nNode('Nothing', 'noOp')] },
		{
			name: 'Edit Fields (Set), five expressions',
			nodes: [n8nNode('Set', 'set', { assignments: { assignments }, options: {} }, 3.4)],
			maxCount: 2_000,
		},
		{
			name: 'Invite: Send, five expressions, up to the first message',
			nodes: argyle({
				...{ resource: 'invite', operation: 'send', firstName, lastName, sendBy: 'both', email, phoneNumber },
				additionalFields: { externalId },
			}),
		},
		{
			name: 'User: Get by External ID',
			nodes: argyle({ resource: 'user', operation: 'get', userId: byExternalId, options: {} }),
			maxCount: 300,
		},
		{
			name: 'User: Create or Update, five expressions',
			nodes: argyle({
				...{ resource: 'user', operation: 'upsert', externalId },
				additionalFields: { firstName, lastName, email: 'alex@example.com', phoneNumber },
			}),
			maxCount: 300,
		},
		{ name: 'User: Get Many', nodes: argyle({ resource: 'user', ...all }), isReading: true },
		{ name: 'Paystub: Get Many', nodes: argyle({ resource: 'paystub', ...all, simplify: false }), isReading: true },
		{
			name: 'Paystub: Get Many, Simplify',
			nodes: argyle({ resource: 'paystub', ...all, simplify: true }),
			isReading: true,
		},
	];
}

function fill(argyle: FakeArgyle, count: number): void {
	const [user] = argyle.users.values();
	const [account] = argyle.accounts.values();
	if (user === undefined || account === undefined) throw new Error('The fake Argyle has no user or account');
	for (let index = argyle.users.size; index < count; index++) {
		const id = randomUUID();
		argyle.users.set(id, { ...user, id, external_id: `crm-${index}` });
	}
	const paystubs = argyle.records.of('paystubs');
	argyle.addRecords('paystubs', Math.max(0, count - paystubs.size));
}

/** Returns the longest pause in this time, and the most processor time that a pause took, in milliseconds. */
function longestPause(file: string, from: number, to: number): [number, number] {
	const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
	const pauses = lines.map((line) => line.split(' ').map(Number));
	const during = pauses.filter(([begin = 0, end = 0]) => end > from && begin < to);
	return [
		Math.max(0, ...during.map(([begin = 0, end = 0]) => end - begin)),
		Math.max(0, ...during.map(([, , processorMs = 0]) => processorMs)),
	];
}

/** Sends signed deliveries, one after the other. */
class Deliveries {
	readonly answers: Array<{ at: number; ms: number; isOk: boolean }> = [];

	private isStopped = false;

	private readonly sending: Promise<void>;

	constructor(next: () => Delivery[]) {
		this.sending = this.sendUntilStopped(next);
	}

	private async sendUntilStopped(next: () => Delivery[]): Promise<void> {
		while (!this.isStopped) {
			for (const { url, body, headers } of next()) {
				const at = Date.now();
				const status = await fetch(url, { method: 'POST', body, headers }).then(
					async (response) => {
						await response.arrayBuffer();
						return response.status;
					},
					() => undefined,
				);
				this.answers.push({ at, ms: Date.now() - at, isOk: status === 200 });
			}
			await wait(BETWEEN_DELIVERIES_MS);
		}
	}

	async stop(): Promise<void> {
		this.isStopped = true;
		await this.sending;
	}
}

/** Publishes a workflow that does a job, and returns the function that runs it for so many items. */
async function publishJob({ client, n8n }: N8nFixture, { name, nodes, isReading }: Job) {
	const path = randomUUID();
	const split = n8nNode('Split Out', 'splitOut', { fieldToSplitOut: 'body.items', options: {} });
	await client.publishNew(name, [webhookNode(path), split, ...nodes]);
	return async (count: number) => {
		const body = JSON.stringify({ items: rowsOf(isReading ? 1 : count) });
		const headers = { 'Content-Type': 'application/json' };
		await (await fetch(`${n8n.origin}/webhook/${path}`, { method: 'POST', headers, body })).arrayBuffer();
	};
}

/** How long a delivery takes to be answered while an execution of another workflow works on many items. */
export async function* longWork(): AsyncGenerator<string> {
	const pausesFile = join(makeUserFolder(), 'pauses');
	const env = { PAUSES_FILE: pausesFile, NODE_OPTIONS: `--import ${join(root, 'test', 'performance', 'pauses.mjs')}` };
	const fixture = await startN8nFixture({ env });
	const { argyle, credential } = await fixture.connectArgyle();
	const trigger = argyleContender({ argyle, credential });
	await fixture.client.publishNew('Another', [...trigger.nodes, n8nNode('Done', 'noOp')]);
	const published = [];
	for (const job of jobs(credential)) published.push({ ...job, run: await publishJob(fixture, job) });
	// The first execution of a node takes n8n longer than all others.
	for (const { run } of published) await run(20);
	const deliveries = new Deliveries(() => trigger.deliveriesOf(randomUUID()));
	await wait(10_000);
	for (const count of SIZES) {
		fill(argyle, count);
		const rows: Row[] = [];
		for (const { name, run } of published.filter((job) => count <= (job.maxCount ?? Infinity))) {
			const from = Date.now();
			await run(count);
			const to = Date.now();
			await wait(3_000);
			const answers = deliveries.answers.filter(({ at, ms }) => at + ms > from && at < to);
			const times = answers.map(({ ms }) => ms);
			const [pause, pauseCpu] = longestPause(pausesFile, from, to);
			rows.push([
				...[name, fixed((to - from) / 1_000)],
				...[pause, pauseCpu, percentile(times, 0.5), percentile(times, 1)].map((ms) => fixed(ms, 0)),
				...[answers.filter(({ isOk }) => !isOk).length, fixed(loadavg()[0] ?? NaN, 0)],
			]);
		}
		yield section(
			`A delivery while another workflow works on ${count} items`,
			COLUMNS,
			rows,
			`Signed deliveries to an Argyle Trigger, one after the other, ${BETWEEN_DELIVERIES_MS} ms apart.`,
		);
	}
	await deliveries.stop();
	await fixture.stop();
}
