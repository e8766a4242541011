import { gzipSync } from 'node:zlib';
import type { Fault } from '../support/fakeArgyle/index.mts';
import { useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { inviteParameters, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const MIB = 1024 * 1024;

const node = useNodeFixture({ requestsPerSecond: 1_000 });
beforeEach(() => {
	useFakeTime();
});

const getAll = async () =>
	await node.run({ resource: 'user', operation: 'getAll', returnAll: true, filters: {}, simplify: false });

const answerWith = (body: unknown, more: Partial<Fault> = {}) =>
	node.service.addFault({ kind: 'status', status: 200, body, times: Infinity, ...more });

const compressed = (text: Buffer | string) => ({ body: gzipSync(text), headers: { 'Content-Encoding': 'gzip' } });

const HUGE = compressed(Buffer.alloc(64 * MIB, 'x'));

const page = JSON.stringify({ results: [{ id: 'a' }] });

it('a list that comes compressed is read', async () => {
	answerWith(undefined, compressed(page));
	expect((await getAll()).map(({ json }) => json)).toEqual([{ id: 'a' }]);
});

it.each<[string, Partial<Fault>, string, number]>([
	['of 64 MiB that come as 64 KiB', HUGE, 'answer that Argyle sent is larger', 1],
	['in UTF-16', { body: Buffer.from(`\ufeff${page}`, 'utf16le') }, "answer that can't be read", 3],
])('an answer %s is refused in words, and asked for no more than it is worth', async (_, answer, words, requests) => {
	answerWith(undefined, answer);
	const { message, description } = await failure(getAll());
	expect(message).toContain(words);
	expect(description).toMatch(/check Base URL in the credential, or ask Argyle's support\. Trace ID [0-9a-f]{32}\./);
	expect(node.service.requests).toHaveLength(requests);
});

it('a compressed error of 64 MiB is told in the words of its status, and tried again', async () => {
	answerWith(undefined, { status: 503, times: 1, ...HUGE });
	expect(await getAll()).toHaveLength(3);
	answerWith(undefined, { status: 400, times: 1, ...HUGE });
	const { message, description } = await failure(getAll());
	expect(message).toBe('Argyle did not accept the request [item 0]');
	expect(description?.length).toBeLessThan(500);
});

it('a record that looks like an item of n8n comes out as a record, and brings no file of its own', async () => {
	const file = { mimeType: 'text/plain', data: 'filesystem-v2', id: 'filesystem-v2:workflows/1/executions/1/file' };
	const record = { id: 'a', json: { id: 'b' }, binary: { data: file }, error: { message: 'made up' } };
	answerWith({ results: [record] });
	expect(await getAll()).toEqual([{ json: record, pairedItem: { item: 0 } }]);
});

it('an invite whose answer is too large may have been sent, and is not sent again', async () => {
	answerWith(undefined, { method: 'POST', ...HUGE });
	const { message } = await failure(node.run(inviteParameters()));
	expect(message).toContain('It is not known whether the invite was sent');
	expect(node.service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
