import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Container } from '@n8n/di';
import { BinaryDataConfig, BinaryDataService } from 'n8n-core';
import { idleClock } from '../../nodes/Argyle/transport/byteStream';
import { until } from '../support/n8n/until.mts';
import { userFolder } from '../support/n8nCore/environment.mts';
import { bytesOf, runArgyle } from '../support/n8nCore/nodeFixture.mts';
import { failure } from '../support/n8nCore/failure.mts';
import { useFakeTime } from '../support/fakeTime.mts';
import { receiptParameters } from '../support/n8nCore/runs.mts';

const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(3 * 1024 * 1024)]);

/** Answers one request for a receipt. */
type Reply = (response: ServerResponse) => void;

const head = (response: ServerResponse, headers: Record<string, string | number> = {}) =>
	response.writeHead(200, { 'Content-Type': 'application/pdf', ...headers });
const inFull: Reply = (response) => head(response, { 'Content-Length': PDF.length }).end(PDF);
const inChunks: Reply = (response) => head(response).end(PDF);
const cutShort: Reply = (response) => {
	head(response, { 'Content-Length': PDF.length }).write(PDF.subarray(0, 2_000_000), () => response.destroy());
};
const stalled: Reply = (response) => void head(response, { 'Content-Length': PDF.length }).write(PDF.subarray(0, 9));

let replies: Reply[];
let asked: number;
const server = createServer((request, response) => {
	asked++;
	request.resume();
	(replies.length > 1 ? replies.shift() : replies[0])?.(response);
});
beforeAll(async () => await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(async () => {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
});

const binaryData = Container.get(BinaryDataConfig);
const usual = binaryData.mode;
beforeEach(() => {
	asked = 0;
	binaryData.mode = usual;
});
afterEach(() => jest.restoreAllMocks());

function run(signal?: AbortSignal) {
	const { port } = server.address() as AddressInfo;
	const credential = {
		environment: 'custom',
		baseUrl: `http://127.0.0.1:${port}`,
		apiKeyId: 'id',
		apiKeySecret: 'secret',
	};
	return runArgyle(credential, { parameters: receiptParameters(randomUUID()) }, [{ json: {} }], signal);
}

const storage = join(userFolder, '.n8n', 'storage');

/** The files of n8n's binary store, without those that describe one. */
const kept = () =>
	(existsSync(storage) ? readdirSync(storage, { recursive: true, withFileTypes: true }) : [])
		.filter((entry) => entry.isFile() && !entry.name.endsWith('.metadata'))
		.map(({ name }) => name);

describe('a receipt goes into the store as it comes', () => {
	it.each<[string, Reply]>([
		['with its length told', inFull],
		['in chunks', inChunks],
	])('%s', async (_, reply) => {
		replies = [reply];
		const before = kept().length;
		const [item] = await run();
		expect((await bytesOf(item?.binary?.data)).equals(PDF)).toBe(true);
		expect(item?.json.fileSize).toBe(PDF.length);
		expect(item?.binary?.data?.id).toMatch(/^filesystem/);
		expect(kept().length).toBe(before + 1);
	});

	it('also where n8n keeps files in memory', async () => {
		binaryData.mode = 'default';
		replies = [inChunks];
		const [item] = await run();
		expect((await bytesOf(item?.binary?.data)).equals(PDF)).toBe(true);
		expect(item?.binary?.data?.id).toBeUndefined();
		expect(item?.json.fileSize).toBe(PDF.length);
	});

	it('asks for it as it is, so that its length holds', async () => {
		let encoding: unknown;
		replies = [
			(response) => {
				encoding = response.req.headers['accept-encoding'];
				inFull(response);
			},
		];
		await run();
		expect(encoding).toBe('identity');
	});
});

describe('a receipt that breaks off', () => {
	it('is asked for again, and only the whole one is kept', async () => {
		useFakeTime();
		replies = [cutShort, inFull];
		const before = kept();
		const [item] = await run();
		expect((await bytesOf(item?.binary?.data)).equals(PDF)).toBe(true);
		expect(kept().length).toBe(before.length + 1);
		expect(asked).toBe(2);
	});

	it.each(['filesystem', 'default'] as const)('every time leaves nothing behind in %s mode', async (mode) => {
		useFakeTime();
		binaryData.mode = mode;
		replies = [cutShort];
		const before = kept();
		const error = await failure(run());
		expect(error.message).toMatch(/^Argyle could not be reached at .* \[item 0\]$/);
		expect(error.description).toContain('The connection broke off.');
		expect(error.description).toMatch(/Tried \d+ times/);
		expect(kept()).toEqual(before);
	});

	it('without a word is given up and asked for again', async () => {
		useFakeTime();
		jest.spyOn(idleClock, 'pause').mockImplementation(async () => await new Promise((resolve) => setTimeout(resolve, 20)));
		replies = [stalled, inFull];
		expect((await run())[0]?.json.fileSize).toBe(PDF.length);
		expect(asked).toBe(2);
	});

	it('ends with the execution, and leaves nothing behind', async () => {
		replies = [stalled];
		const before = kept();
		const stop = new AbortController();
		const running = failure(run(stop.signal));
		await until('it has asked', 5_000, async () => (asked > 0 ? true : undefined));
		stop.abort();
		expect((await running).message).toContain('could not be reached');
		expect(kept()).toEqual(before);
		expect(asked).toBe(1);
	});
});

describe('a receipt that is too large', () => {
	const MOST = 512 * 1024 * 1024;

	it('is not fetched when its length tells so', async () => {
		replies = [(response) => head(response, { 'Content-Length': MOST + 1 }).write('%PDF-1.7')];
		const error = await failure(run());
		expect(error.message).toBe('The file that Argyle sent is larger than 512 MB [item 0]');
		expect(error.description).toContain('It was not kept');
		expect(asked).toBe(1);
	});
});

it('a store that fails is told as what it is, and asked no second time', async () => {
	replies = [inFull];
	jest.spyOn(Container.get(BinaryDataService), 'store').mockImplementation(async () => {
		throw new Error('ENOSPC: no space left on device');
	});
	const error = await failure(run());
	expect(error.message).toContain('no space left on device');
	expect(asked).toBe(1);
});
