import { CredentialTestContext } from 'n8n-core';
import { paceClock } from '../../nodes/Argyle/utils/clock';
import type { Fault } from '../support/fakeArgyle/index.mts';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import { ArgyleTrigger } from '../../nodes/Argyle/ArgyleTrigger.node';
import { actionNode, createAdditionalData } from '../support/n8nCore/n8nContext.mts';
import { runNode, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture();

const test = async (data: object, { methods }: typeof actionNode | ArgyleTrigger = actionNode) =>
	await methods.credentialTest.testArgyleApi.call(new CredentialTestContext(createAdditionalData({})), {
		id: '1',
		name: 'Argyle',
		type: 'argyleApi',
		data: JSON.parse(JSON.stringify(data)),
	});

describe('credential test', () => {
	const answered = (status: number, body: string, type = 'text/plain'): Fault => ({
		...{ kind: 'status', status, body, headers: { 'Content-Type': type } },
	});

	it('the credential test succeeds with one small request, from either node', async () => {
		for (const nodeType of [actionNode, new ArgyleTrigger()])
			expect(await test(node.credential, nodeType)).toEqual({
				status: 'OK',
				message: 'Connected to Argyle (Custom Base URL)',
			});
		expect(node.service.requests).toMatchObject([{ method: 'GET', path: '/v2/webhooks', query: '?limit=1' }, {}]);
	});

	it('the credential test tells wrong key, other environment, unavailable and unreachable apart without showing the key', async () => {
		const wrong = await test({ ...node.credential, apiKeySecret: 'wrong-secret' });
		const other = await test(credentialFor({ origin: node.service.origin, key: node.service.otherEnvironmentKey }));
		node.service.addFault({ kind: 'html', status: 502 });
		const unavailable = await test(node.credential);
		await node.service.stop();
		const unreachable = await test(node.credential);
		expect(wrong.message).toContain('does not know this API key');
		expect(other.message).toContain('belongs to the other environment');
		expect(unavailable.message).toContain('not available at the moment');
		expect(unreachable.message).toContain('could not be reached');
		for (const result of [wrong, other, unavailable, unreachable]) {
			expect(result.status).toBe('Error');
			for (const hidden of ['wrong-secret', node.service.key.secret, node.service.key.id])
				expect(result.message).not.toContain(hidden);
		}
	});

	it('the credential test shows nothing of the key, though the server repeats the header with it', async () => {
		const { id, secret } = node.service.key;
		const header = Buffer.from(`${id}:${secret}`).toString('base64');
		const body = JSON.stringify({ detail: `Bad header Basic ${header}` });
		node.service.addFault(answered(400, body, 'application/json'));
		const { message } = await test(node.credential);
		expect(message).toContain('Bad header Basic');
		expect(message).not.toContain(header);
	});

	const ANOTHER = 'There is no Argyle API at ORIGIN. Another server answered';

	it.each<[what: string, change: object, fault: Fault[], words: string]>([
		['an unsafe Base URL', { baseUrl: 'http://argyle.example.com' }, [], 'https://'],
		['a credential without a key', { apiKeyId: undefined, apiKeySecret: undefined }, [], 'does not know'],
		['a redirect', {}, [{ kind: 'status', status: 302, headers: { Location: '/v2/webhooks' } }], 'redirect'],
		[
			'another server that has no such page',
			{},
			[answered(404, 'Cannot GET /v2/webhooks')],
			'There is no Argyle API at ORIGIN. Base URL has to lead to Argyle',
		],
		["another server's page", {}, [answered(200, '<!doctype html><title>Sign in</title>', 'text/html')], ANOTHER],
		["another server's JSON", {}, [answered(200, '{"status": "ok"}', 'application/json')], ANOTHER],
		["another server's empty text", {}, [answered(200, '')], ANOTHER],
	])('the credential test is not content with %s, and says why', async (_, change, faults, words) => {
		for (const fault of faults) node.service.addFault(fault);
		const { status, message } = await test({ ...node.credential, ...change });
		expect(status).toBe('Error');
		expect(message).toContain(words.replace('ORIGIN', node.service.origin));
	});

	it.each(['{"results": []}', '[]'])(
		'the credential test takes %s for an answer of Argyle, as all lists do',
		async (body) => {
			node.service.addFault(answered(200, body, 'application/json'));
			expect((await test(node.credential)).status).toBe('OK');
		},
	);

	it('the credential test accepts a key of any characters', async () => {
		node.service.key = { id: 'schlüssel', secret: 'g€heim' };
		expect((await test(node.credential)).status).toBe('OK');
	});

	it('the credential test ends where the answer comes too slowly', async () => {
		jest.spyOn(paceClock, 'pause').mockImplementation(async () => {});
		node.service.addFault({ kind: 'trickle' });
		expect((await test(node.credential)).message).toContain('came too slowly');
	});
});

describe('a key that was entered wrongly', () => {
	it('the credential test takes blanks around both parts of the key for nothing, and so does a request', async () => {
		const { id, secret } = node.service.key;
		const pasted = { ...node.credential, apiKeyId: ` ${id}`, apiKeySecret: `${secret}\n` };
		expect((await test(pasted)).status).toBe('OK');
		const users = await runNode(pasted, { resource: 'user', operation: 'getAll', returnAll: true });
		expect(users).toHaveLength(3);
	});

	it('the credential test says that ID and secret are exchanged, and does not connect', async () => {
		const { id, secret } = node.service.key;
		const { status, message } = await test({ ...node.credential, apiKeyId: secret, apiKeySecret: id });
		expect(status).toBe('Error');
		expect(message).toContain('API Key ID and API Key Secret are exchanged: enter each in the other field.');
	});

	it('the credential test names quotation marks, and asks no second time', async () => {
		const { message } = await test({ ...node.credential, apiKeyId: `"${node.service.key.id}"` });
		expect(message).toContain('There are quotation marks around it');
		expect(node.service.requests).toHaveLength(1);
	});
});
