import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import { paceClock } from '../../nodes/Argyle/utils/clock';
import { useFakeTime } from '../support/fakeTime.mts';
import { until } from '../support/n8n/until.mts';
import { userFolder } from '../support/n8nCore/environment.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { binaryBytes, receiptParameters, runNode, type RunOptions, stopOnce } from '../support/n8nCore/nodeFixture.mts';

const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(3 * 1024 * 1024)]);

type Reply = (response: ServerResponse) => void;

const writeHead = (response: ServerResponse, headers: Record<string, string | number> = {}) =>
	response.writeHead(200, { 'Content-Type': 'application/pdf', ...headers });
const withLength: Reply = (response) => writeHead(response, { 'Content-Length': PDF.length }).end(PDF);
const chunked: Reply = (response) => writeHead(response).end(PDF);
const truncated: Reply = (response) => {
	writeHead(response, { 'Content-Length': PDF.length }).write(PDF.subarray(0, 2_000_000), () => response.destroy());
};
const stalled: Reply = (response) =>
	void writeHead(response, { 'Content-Length': PDF.length }).write(PDF.subarray(0, 9));

let replies: Reply[];
let requestCount: number;
const server = createServer((request, response) => {
	requestCount++;
	request.resume();
	(replies.length > 1 ? replies.shift() : replies[0])?.(response);
});
beforeAll(async () => await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

const binaryData = Container.get(BinaryDataConfig);
const defaultMode = binaryData.mode;
beforeEach(() => {
	requestCount = 0;
	binaryData.mode = defaultMode;
});
afterEach(() => jest.restoreAllMocks());

async function run({ options = {}, ...more }: RunOptions & { options?: object } = {}) {
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('the server has no port');
	const baseUrl = `http://127.0.0.1:${address.port}`;
	const credential = { environment: 'custom', baseUrl, apiKeyId: 'id', apiKeySecret: 'secret' };
	return await runNode(credential, receiptParameters(randomUUID(), { options }), more);
}

const storage = join(userFolder, '.n8n', 'storage');

/** The files in n8n's binary store, without its metadata files. */
const storedFiles = () =>
	(existsSync(storage) ? readdirSync(storage, { recursive: true, withFileTypes: true }) : [])
		.filter((entry) => entry.isFile() && !entry.name.endsWith('.metadata'))
		.map(({ name }) => name);

describe("Generate Receipt streams into n8n's binary store", () => {
	it.each<[string, Reply]>([
		['with Content-Length', withLength],
		['in chunks', chunked],
	])('a receipt %s is stored as one file', async (_, reply) => {
		replies = [reply];
		const before = storedFiles().length;
		const [item] = await run();
		expect((await binaryBytes(item?.binary?.data)).equals(PDF)).toBe(true);
		expect(item?.json.fileSize).toBe(PDF.length);
		expect(item?.binary?.data?.id).toMatch(/^filesystem/);
		expect(storedFiles().length).toBe(before + 1);
	});

	it("a receipt is kept in memory in n8n's default binary mode", async () => {
		binaryData.mode = 'default';
		replies = [chunked];
		const [item] = await run();
		expect((await binaryBytes(item?.binary?.data)).equals(PDF)).toBe(true);
		expect(item?.binary?.data?.id).toBeUndefined();
		expect(item?.json.fileSize).toBe(PDF.length);
	});
});

describe('Generate Receipt with a truncated response', () => {
	it('a truncated receipt is requested again, and only the complete one is stored', async () => {
		useFakeTime();
		replies = [truncated, withLength];
		const before = storedFiles();
		const [item] = await run();
		expect((await binaryBytes(item?.binary?.data)).equals(PDF)).toBe(true);
		expect(storedFiles().length).toBe(before.length + 1);
		expect(requestCount).toBe(2);
	});

	it.each(['filesystem', 'default'] as const)(
		'a receipt that is always truncated fails and stores nothing in %s mode',
		async (mode) => {
			useFakeTime();
			binaryData.mode = mode;
			replies = [truncated];
			const before = storedFiles();
			const error = await failure(run());
			expect(error.message).toMatch(/^Argyle could not be reached at .* \[item 0\]$/);
			expect(error.description).toContain('The connection broke off.');
			expect(error.description).toMatch(/Tried \d+ times/);
			expect(storedFiles()).toEqual(before);
		},
		// Some twenty real requests, on a machine that may do other things as well.
		60_000,
	);

	it('a stalled receipt is aborted and requested again', async () => {
		useFakeTime();
		// The first response is idle at once, the second never.
		jest.spyOn(paceClock, 'pause').mockImplementation(async (_, signal) => {
			if (requestCount > 1) await new Promise((resolve) => signal?.addEventListener('abort', resolve));
			else await new Promise((resolve) => setImmediate(resolve));
		});
		replies = [stalled, withLength];
		expect((await run())[0]?.json.fileSize).toBe(PDF.length);
		expect(requestCount).toBe(2);
	});

	it('a cancelled execution aborts the download and stores nothing', async () => {
		replies = [stalled];
		const before = storedFiles();
		const { message } = await stopOnce(
			() => requestCount > 0,
			async (signal) => await run({ signal }),
		);
		expect(message).toContain('could not be reached');
		expect(storedFiles()).toEqual(before);
		expect(requestCount).toBe(1);
	});
});

it('a receipt with a Content-Length over 512 MiB is not downloaded', async () => {
	replies = [(response) => writeHead(response, { 'Content-Length': 512 * 1024 * 1024 + 1 }).write('%PDF-1.7')];
	const error = await failure(run());
	expect(error.message).toBe('The file that Argyle sent is larger than 512 MB [item 0]');
	expect(error.description).toContain('It was not kept');
	expect(requestCount).toBe(1);
});

it('a slow binary store does not keep the next receipt from being requested', async () => {
	replies = [withLength];
	const binaryService = Container.get(BinaryDataService);
	const store = binaryService.store.bind(binaryService);
	jest.spyOn(binaryService, 'store').mockImplementation(async (location, body, metadata) => {
		const bytes = Buffer.isBuffer(body) ? body : await buffer(body);
		await until('both were requested', 5_000, async () => requestCount === 2 || undefined);
		return await store(location, bytes, metadata);
	});
	const items = await run({ items: [{ json: {} }, { json: {} }], options: { maxConcurrency: 1 } });
	expect(items.map(({ json }) => json.fileSize)).toEqual([PDF.length, PDF.length]);
});

it('an error of the binary store is shown unchanged and the receipt is not requested again', async () => {
	replies = [withLength];
	jest.spyOn(Container.get(BinaryDataService), 'store').mockImplementation(async () => {
		throw new Error('ENOSPC: no space left on device');
	});
	const error = await failure(run());
	expect(error.message).toContain('no space left on device');
	expect(requestCount).toBe(1);
});
