import { randomUUID } from 'node:crypto';
import type { WorkflowExecuteMode } from 'n8n-workflow';
import { useFakeTime } from '../support/fakeTime.mts';
import type { Fault } from '../support/fakeArgyle/index.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { receiptParameters, runNode, stopOnce, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture();
beforeEach(() => {
	useFakeTime();
});

/** The error with which Generate Receipt fails. */
const errorWith = async (credential: object = node.credential) =>
	await failure(runNode(credential, receiptParameters(node.userId())));

const basicAuth = () => btoa(`${node.service.key.id}:${node.service.key.secret}`);

describe('errors of the Argyle node', () => {
	it.each<[string, string, Fault]>([
		['a refused request', 'NodeApiError', { kind: 'status', status: 400, body: { user: ['Must be a valid UUID.'] } }],
		['an HTML error page', 'NodeApiError', { kind: 'html', status: 502 }],
		['a broken connection', 'NodeOperationError', { kind: 'drop' }],
	])('%s becomes a %s that names the item and contains no API key', async (_, name, fault) => {
		node.service.addFault({ ...fault, times: Infinity });
		const error = await errorWith();
		expect(error.name).toBe(name);
		expect(error.message).toMatch(/ \[item 0\]$/);
		const { message, description, cause, context } = error;
		const shown = JSON.stringify([error, message, description, cause, context]);
		for (const hidden of [node.service.key.secret, node.service.key.id, basicAuth()])
			expect(shown).not.toContain(hidden);
	});

	it('https to a port for http is named in the error', async () => {
		const baseUrl = node.service.origin.replace('http:', 'https:');
		const error = await errorWith({ ...node.credential, baseUrl });
		expect(error.message).toBe(`Argyle could not be reached at ${baseUrl} [item 0]`);
		expect(error.description).toContain('does not speak https');
	});

	it.each<[WorkflowExecuteMode, number, number]>([
		['manual', 5, 15],
		['trigger', 60, 65],
	])('an unreachable Argyle is told in an execution of mode %s after %i to %i s', async (mode, least, most) => {
		await node.service.stop();
		const startedAt = Date.now();
		await failure(node.run(receiptParameters(randomUUID()), { mode }));
		const seconds = (Date.now() - startedAt) / 1_000;
		expect(seconds).toBeGreaterThanOrEqual(least);
		expect(seconds).toBeLessThanOrEqual(most);
	});

	it('a manual execution waits a minute for an Argyle that answers 503', async () => {
		node.service.addFault({ kind: 'status', status: 503, times: Infinity });
		expect((await errorWith()).description).toMatch(/Tried \d+ times in 60 s/);
	});

	it('a failed item has no fields but those by which every n8n 2 sends it to the error output', async () => {
		const parameters = receiptParameters(randomUUID());
		const [failed] = await node.run(parameters, { continueOnFail: true });
		expect(failed).toEqual({
			json: {
				error: expect.stringContaining('Argyle could not find the user'),
				message: expect.stringContaining('Check the ID.'),
			},
			pairedItem: { item: 0 },
		});
	});

	it("an expression that fails in a parameter is told in n8n's words", async () => {
		const error = await failure(node.run(receiptParameters('={{ $("Nowhere").item.json.user }}')));
		expect(error.message).toBe("Referenced node doesn't exist");
	});
});

describe('cancelled execution of the Argyle node', () => {
	// In real time: only the cancellation can end it within the time that a test has.
	beforeEach(() => jest.restoreAllMocks());

	it.each<[string, Fault]>([
		['it waits before a retry', { kind: 'status', status: 503, headers: { 'Retry-After': '30' } }],
		['it waits for a response', { kind: 'hang' }],
	])('a cancelled execution ends at once while %s', async (_, fault) => {
		node.service.addFault({ ...fault, times: Infinity });
		const { message } = await stopOnce(
			() => node.service.requests.length > 0,
			async (signal) => await node.run(receiptParameters(node.userId()), { signal }),
		);
		expect(message).toMatch(/not available|could not be reached/);
	});
});

it('the credential is decrypted once for an item, however many pages are read', async () => {
	node.addSubscriptions(401);
	const { credential } = node;
	let decryptions = 0;
	const toJSON = () => {
		decryptions++;
		return credential;
	};
	const items = await runNode({ toJSON }, { resource: 'webhook', operation: 'getAll', returnAll: true });
	expect([items.length, node.service.requests.length, decryptions]).toEqual([401, 3, 1]);
});

it('an API key of any characters reaches Argyle unchanged', async () => {
	node.service.key = { id: 'schlüssel-ключ', secret: 'g€heim "\'=}} $json' };
	expect(await node.run(receiptParameters(node.userId()))).toHaveLength(1);
});
