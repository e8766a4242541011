import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { StoredRecord } from '../support/fakeArgyle/index.mts';
import type { ArgyleConnection } from '../support/n8n/connectArgyle.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleNode, n8nNode } from '../support/n8n/nodes.mts';
import { median } from '../support/statistics.mts';
import type { Contender } from './contender.mts';
import { fixed, type Row, section } from './markdown.mts';
import { publishRun, type Run } from './receiptContenders.mts';
import { inTurns, peakMemoryDuring, residentMemory } from './sampler.mts';

type MakeContender = (connection: ArgyleConnection, fixture: N8nFixture) => Promise<Contender>;

/** As many as a real gigs.fully_synced had. */
const GIGS = 2_503;

const FEW = 10;
const LIMIT = 250;
const ROUNDS = 3;
const SIZES_MIB = [1, 10, 50, 200];

/** The size that the others are compared with. */
const SMALLEST_MIB = Math.min(...SIZES_MIB);

/** Files go where n8n's single process keeps them by default. */
const FILES = { N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' };

const getRecords =
	(name: string, parameters: object): MakeContender =>
	async ({ credential }) => ({
		name,
		nodes: [argyleNode(credential, { resource: 'event', operation: 'getRecords', options: {}, ...parameters })],
	});

/** Makes the records in n8n's process for code, and hands them to n8n. */
const makeRecords =
	(gig: StoredRecord): MakeContender =>
	async () => {
		const jsCode = `const gig = ${JSON.stringify(gig)};
			const { count } = $input.first().json;
			return Array.from({ length: count }, () => ({ json: gig }));`;
		return { name: 'Code node that makes as many', nodes: [n8nNode('Fetch', 'code', { jsCode }, 2)] };
	};

const fullySynced = (gigs: StoredRecord[]) => ({
	event: 'gigs.fully_synced',
	name: 'Bench',
	count: gigs.length,
	data: {
		account: gigs[0]?.account,
		available_from: gigs.at(-1)?.start_datetime,
		available_to: gigs[0]?.start_datetime,
		available_count: gigs.length,
	},
});

/** How much memory n8n needs to run a workflow, beside what it holds when it does nothing. */
async function aboveIdle({ n8n }: N8nFixture, work: () => Promise<unknown>): Promise<{ idle: number; peak: number }> {
	await wait(1_000);
	const idle = residentMemory(n8n.pid);
	return { idle, peak: await peakMemoryDuring(n8n.pid, work) };
}

/** What one contender needs for many records, in an n8n of its own. */
async function gigsOf(makeContender: (gig: StoredRecord) => MakeContender): Promise<Row> {
	const fixture = await startN8nFixture({ activation: 'publication', env: FILES });
	const connection = await fixture.connectArgyle();
	const { argyle } = connection;
	const few = argyle.addRecords('gigs', FEW, { account: randomUUID() });
	const gigs = argyle.addRecords('gigs', GIGS, { account: randomUUID() });
	const contender = await makeContender(gigs[0] ?? { id: '' })(connection, fixture);
	const run = await publishRun(fixture, contender);
	await run([fullySynced(few)]);
	argyle.requests.length = 0;
	let execution = '';
	const { idle, peak } = await aboveIdle(fixture, async () => (execution = await run([fullySynced(gigs)])));
	const requests = argyle.requests.length;
	const { output } = await fixture.client.execution(execution);
	const records = (output.Fetch ?? []).map(({ json }) => json);
	const isOrdered = records.every(({ id }, index) => id === gigs[index]?.id);
	const kib = Buffer.byteLength(JSON.stringify(records)) / 1_024;
	await fixture.stop();
	const counts = [records.length, fixed(kib, 0), requests, requests === 0 ? '' : isOrdered ? 'yes' : 'no'];
	return [contender.name, ...counts, fixed(peak, 0), fixed(peak - idle)];
}

async function gigs(): Promise<string> {
	const rows = [
		await gigsOf(() => getRecords('Event: Get Records', { returnAll: true, simplify: false })),
		await gigsOf(() => getRecords(`the same, Limit ${LIMIT}`, { returnAll: false, limit: LIMIT, simplify: false })),
		await gigsOf(makeRecords),
	];
	return section(
		`${GIGS} gigs of one event`,
		['', 'items', 'KiB', 'requests', 'in order', 'peak, MiB', 'above idle'],
		rows,
		'Each in an n8n of its own, of which the second process, for code, is not counted.',
	);
}

const argyleDownload: MakeContender = async ({ credential }) => {
	const payrollDocumentId = '={{ $json.id }}';
	const parameters = { resource: 'payrollDocument', operation: 'download', payrollDocumentId };
	return { name: 'Argyle node', nodes: [argyleNode(credential, { ...parameters, binaryPropertyName: 'data' })] };
};

/** n8n's own node, told the address. */
const httpDownload: MakeContender = async ({ argyle }, { client }) => {
	const { id, secret } = argyle.key;
	const credential = await client.createCredential('Basic', 'httpBasicAuth', { user: id, password: secret });
	const parameters = {
		url: '={{ $json.url }}',
		authentication: 'genericCredentialType',
		genericAuthType: 'httpBasicAuth',
		options: { response: { response: { responseFormat: 'file', outputPropertyName: 'data' } } },
	};
	const node = { ...n8nNode('Fetch', 'httpRequest', parameters, 4.2), credentials: { httpBasicAuth: credential } };
	return { name: 'HTTP Request node', nodes: [node] };
};

/** Stores a payroll document; returns the item that leads to its file. */
function addDocument({ argyle }: ArgyleConnection, mib: number): { id: string; url: string } {
	const [document] = argyle.addRecords('payroll-documents', 1);
	const id = String(document?.id);
	const path = `/v2/payroll-documents/${id}/file`;
	argyle.records.files.set(path, { size: mib * 2 ** 20 });
	return { id, url: `${argyle.origin}${path}` };
}

async function downloadsOf(makeContender: MakeContender): Promise<Row[]> {
	const fixture = await startN8nFixture({ activation: 'publication', env: FILES });
	const connection = await fixture.connectArgyle();
	const contender = await makeContender(connection, fixture);
	const run: Run = await publishRun(fixture, contender);
	const fetchFile = (mib: number) => async () => await run([addDocument(connection, mib)]);
	for (let round = 0; round < 5; round++) await fetchFile(SMALLEST_MIB)();
	const peaks = new Map(SIZES_MIB.map((mib) => [mib, new Array<number>()]));
	for (const mib of inTurns(SIZES_MIB, ROUNDS)) {
		const { idle, peak } = await aboveIdle(fixture, fetchFile(mib));
		peaks.get(mib)?.push(peak - idle);
	}
	const rows: Row[] = [];
	for (const [mib, above] of peaks) {
		const range = `${fixed(Math.min(...above))} to ${fixed(Math.max(...above))}`;
		rows.push([contender.name, mib, fixed(median(above)), range, fixed(above[0] ?? NaN)]);
	}
	await fixture.stop();
	return rows;
}

async function downloads(): Promise<string> {
	return section(
		'One payroll document, kept in the file system',
		['', 'MiB', 'peak above idle, MiB (median of three)', 'range', 'the first'],
		[...(await downloadsOf(argyleDownload)), ...(await downloadsOf(httpDownload))],
		'Each node in one n8n, the sizes in turns, after five files of 1 MiB.',
	);
}

/** With how much memory records and files are read. */
export async function* records(): AsyncGenerator<string> {
	yield await gigs();
	yield await downloads();
}
