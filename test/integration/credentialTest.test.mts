import { CredentialTestContext } from 'n8n-core';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import { ArgyleTrigger } from '../../nodes/Argyle/ArgyleTrigger.node';
import { actionNode, createAdditionalData } from '../support/n8nCore/n8nContext.mts';
import { useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

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

	it('the credential test accepts a key of any characters', async () => {
		node.service.key = { id: 'schlüssel', secret: 'g€heim' };
		expect((await test(node.credential)).status).toBe('OK');
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
