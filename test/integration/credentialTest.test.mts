import { CredentialTestContext } from 'n8n-core';
import { paceClock } from '../../nodes/Argyle/utils/clock';
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
		node.service.addFault({ kind: 'status', status: 400, body, headers: { 'Content-Type': 'application/json' } });
		const { message } = await test(node.credential);
		expect(message).toContain('Bad header Basic');
		expect(message).not.toContain(header);
	});

	it('the credential test refuses an unsafe Base URL and a credential without a key', async () => {
		expect(await test({ ...node.credential, baseUrl: 'http://argyle.example.com' })).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('https://'),
		});
		expect(await test({ environment: 'custom', baseUrl: node.service.origin })).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('does not know'),
		});
	});

	it.each(['{"results": []}', '[]'])(
		'the credential test takes %s for an answer of Argyle, as all lists do',
		async (body) => {
			node.service.addFault({ kind: 'status', status: 200, body, headers: { 'Content-Type': 'application/json' } });
			expect((await test(node.credential)).status).toBe('OK');
		},
	);

	it.each([
		['text/html', '<!doctype html><title>Sign in to the network</title>'],
		['application/json', '{"status": "ok"}'],
		['text/plain', ''],
	])('the credential test is not content with whatever another server answers (%s)', async (type, body) => {
		node.service.addFault({ kind: 'status', status: 200, body, headers: { 'Content-Type': type } });
		const { status, message } = await test(node.credential);
		expect(status).toBe('Error');
		expect(message).toContain(`There is no Argyle API at ${node.service.origin}. Another server answered`);
	});

	it('the credential test accepts a key of any characters', async () => {
		node.service.key = { id: 'schlüssel', secret: 'g€heim' };
		expect((await test(node.credential)).status).toBe('OK');
	});

	it('the credential test ends where the answer comes too slowly', async () => {
		jest.spyOn(paceClock, 'pause').mockImplementation(async () => {});
		node.service.addFault({ kind: 'trickle' });
		expect((await test(node.credential)).message).toContain('came too slowly');
	});

	it('the credential test follows no redirect', async () => {
		node.service.addFault({
			kind: 'status',
			status: 302,
			headers: { Location: `${node.service.origin}/v2/webhooks` },
			body: '',
		});
		expect(await test(node.credential)).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('redirect'),
		});
		expect(node.service.requests).toHaveLength(1);
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

	it('the credential test says that another server is no Argyle', async () => {
		node.service.addFault({ kind: 'status', status: 404, body: 'Cannot GET /v2/webhooks' });
		const { message } = await test(node.credential);
		expect(message).toContain(`There is no Argyle API at ${node.service.origin}. Base URL has to lead to Argyle`);
		expect(message).not.toContain('deleted');
	});
});
