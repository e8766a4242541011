import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileBytes } from '../support/fakeArgyle/files.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleNode, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';
import { type Contender, publishWorkflow } from './contender.mts';
import { startLocalServer } from './localServer.mts';
import { fixed, type Row, section } from './markdown.mts';
import { startPeak } from './sampler.mts';

const MIB = 2 ** 20;
const SIZE = 200 * MIB;
const ROUNDS = 3;

/** The first upload of an n8n is not measured. */
const WARM_UP_BYTES = 5 * MIB;

/** How long the workflow waits between both nodes: n8n has stored the file after half of it. */
const PAUSE_S = 6;

const USER = randomUUID();

/** What came in one upload. */
interface Received {
	sha256: string;
	/** What the sender said; undefined when it said nothing. */
	contentLength: string | undefined;
	/** By how many MiB the resident memory of n8n grew: from when it had stored the file until the upload had come in. */
	growth: number;
}

function digestOf(size: number): string {
	const hash = createHash('sha256');
	for (const chunk of fileBytes(size)) hash.update(chunk);
	return hash.digest('hex');
}

/** The bytes of the file: behind the head of the last part, which is the only one with a file name. */
async function digestOfFile(request: IncomingMessage, size: number): Promise<string> {
	const hash = createHash('sha256');
	let head = Buffer.alloc(0);
	let left = size;
	let isInFile = false;
	for await (const chunk of request) {
		let bytes: Buffer = Buffer.from(chunk);
		if (!isInFile) {
			head = Buffer.concat([head, bytes]);
			const part = head.indexOf('filename=');
			const start = part === -1 ? -1 : head.indexOf('\r\n\r\n', part);
			if (start === -1) continue;
			isInFile = true;
			bytes = head.subarray(start + 4);
		}
		hash.update(bytes.subarray(0, left));
		left -= Math.min(left, bytes.length);
	}
	return left === 0 ? hash.digest('hex') : 'too short';
}

const argyle = async ({ client }: N8nFixture, origin: string): Promise<Contender> => {
	const fields = { environment: 'custom', baseUrl: origin, apiKeyId: 'id', apiKeySecret: 'secret' };
	const credential = await client.createCredential('Argyle', 'argyleApi', fields);
	const userId = { __rl: true, mode: 'id', value: USER };
	const upload = { resource: 'userUpload', operation: 'upload', userId, documentType: 'paystubs' };
	return { name: 'Argyle node', nodes: [argyleNode(credential, { ...upload, binaryPropertyName: 'data' })] };
};

const httpRequest = async (_: N8nFixture, origin: string): Promise<Contender> => {
	const parameters = [
		{ name: 'user', value: USER },
		{ name: 'document_type', value: 'paystubs' },
		{ parameterType: 'formBinaryData', name: 'upload', inputDataFieldName: 'data' },
	];
	const settings = { method: 'POST', url: `${origin}/v2/user-uploads`, sendBody: true, options: {} };
	const body = { contentType: 'multipart-form-data', bodyParameters: { parameters } };
	return { name: 'HTTP Request node', nodes: [n8nNode('Upload', 'httpRequest', { ...settings, ...body }, 4.2)] };
};

/** A workflow that fetches a file into n8n's binary store, and uploads it. */
function withFile(contender: Contender, origin: string): SavedNode[] {
	const path = randomUUID();
	const parameters = { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'noData', options: {} };
	const webhook = { ...n8nNode('Webhook', 'webhook', parameters, 2), webhookId: path };
	const options = { response: { response: { responseFormat: 'file', outputPropertyName: 'data' } } };
	const url = `=${origin}/file/{{ $json.body.size }}/paystub.pdf`;
	const pause = n8nNode('Pause', 'wait', { amount: PAUSE_S }, 1.1);
	return [webhook, n8nNode('Get File', 'httpRequest', { url, options }, 4.2), pause, ...contender.nodes];
}

/** What each upload of a large file needs, in an n8n of its own. */
async function measure(
	makeContender: (fixture: N8nFixture, origin: string) => Promise<Contender>,
	mode: string,
): Promise<Row> {
	const fixture = await startN8nFixture({ activation: 'publication', env: { N8N_DEFAULT_BINARY_DATA_MODE: mode } });
	const received: Received[] = [];
	let size = WARM_UP_BYTES;
	let stored = startPeak(fixture.n8n.pid);
	async function give(response: ServerResponse): Promise<void> {
		response.writeHead(200, { 'Content-Type': 'application/pdf', 'Content-Length': size });
		await pipeline(Readable.from(fileBytes(size)), response);
		await wait((PAUSE_S / 2) * 1_000);
		stored = startPeak(fixture.n8n.pid);
	}
	async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const sha256 = await digestOfFile(request, size);
		const growth = stored.peak() - stored.idle;
		received.push({ sha256, contentLength: request.headers['content-length'], growth });
		response.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify({ id: randomUUID() }));
	}
	const server = await startLocalServer((request, response) => {
		void (request.method === 'POST' ? take(request, response) : give(response));
	});
	const contender = await makeContender(fixture, server.origin);
	const nodes = withFile(contender, server.origin);
	await publishWorkflow(fixture.client, contender.name, nodes);
	const run = async () => {
		await wait(1_000);
		const response = await fetch(`${fixture.n8n.origin}/webhook/${nodes[0]?.webhookId ?? ''}`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify({ size }),
		});
		if (!response.ok) throw new Error(`${contender.name} ended with ${response.status}: ${await response.text()}`);
	};
	await run();
	received.length = 0;
	size = SIZE;
	for (let round = 0; round < ROUNDS; round++) await run();
	await fixture.stop();
	await server.stop();
	const expected = digestOf(SIZE);
	const grown = received.map(({ growth }) => fixed(growth, 0));
	const isEqual = received.length === ROUNDS && received.every(({ sha256 }) => sha256 === expected);
	const isTold = received.every(({ contentLength }) => Number(contentLength) > SIZE);
	return [contender.name, mode, grown.join(', '), isEqual ? 'yes' : 'no', isTold ? 'yes' : 'no'];
}

/** With how much memory a large file is uploaded. */
export async function* uploads(): AsyncGenerator<string> {
	const rows: Row[] = [];
	for (const mode of ['filesystem', 'database'])
		for (const makeContender of [argyle, httpRequest]) rows.push(await measure(makeContender, mode));
	const columns = ['', 'binary store', `growth while uploading, MiB (${ROUNDS} times)`, 'bytes equal', 'size told'];
	yield section(`One file of ${SIZE / MIB} MiB, uploaded`, columns, rows, 'Resident memory of the whole n8n process.');
}
