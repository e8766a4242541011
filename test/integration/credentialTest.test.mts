import { CredentialTestContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import { type FakeArgyle, startFakeArgyle } from '../support/fakeArgyle/index.mts';
import { makeAdditionalData, nodeTypes } from '../support/n8nCore/n8nContext.mts';
import { credentialFor } from '../support/fakeArgyle/credential.mts';

let service: FakeArgyle;
beforeEach(async () => {
	service = await startFakeArgyle();
});
afterEach(async () => await service.stop());

async function test(data: IDataObject | undefined, type = 'n8n-nodes-argyle.argyle') {
	const context = new CredentialTestContext(makeAdditionalData({}));
	const run = nodeTypes[type]?.methods?.credentialTest?.testArgyleApi;
	if (run === undefined) throw new Error('no credential test');
	return await run.call(context, {
		id: '1',
		name: 'Argyle',
		type: 'argyleApi',
		data: data === undefined ? undefined : JSON.parse(JSON.stringify(data)),
	});
}

describe('the credential test', () => {
	it('succeeds with one small request, from either node', async () => {
		for (const type of Object.keys(nodeTypes))
			expect(await test(credentialFor(service), type)).toEqual({
				status: 'OK',
				message: 'Connected to Argyle (Custom Base URL)',
			});
		expect(service.requests).toMatchObject([{ method: 'GET', path: '/v2/webhooks', query: '?limit=1' }, {}]);
	});

	it('has four different words for what can be wrong', async () => {
		const wrong = await test({ ...credentialFor(service), apiKeySecret: 'wrong-secret' });
		const other = await test(credentialFor({ origin: service.origin, key: service.otherEnvironmentKey }));
		service.addFault({ kind: 'html', status: 502 });
		const ill = await test(credentialFor(service));
		await service.stop();
		const down = await test(credentialFor(service));
		expect(wrong.message).toContain('does not know this API key');
		expect(other.message).toContain('belongs to the other environment');
		expect(ill.message).toContain('not available at the moment');
		expect(down.message).toContain('could not be reached');
		for (const result of [wrong, other, ill, down]) {
			expect(result.status).toBe('Error');
			for (const hidden of ['wrong-secret', service.key.secret, service.key.id])
				expect(result.message).not.toContain(hidden);
		}
	});

	it('refuses an unsafe base URL without a request, and a credential without fields', async () => {
		expect(await test({ ...credentialFor(service), baseUrl: 'http://argyle.example.com' })).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('https://'),
		});
		expect(await test({ environment: 'custom', baseUrl: service.origin })).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('does not know'),
		});
	});

	it('takes a key of any characters', async () => {
		service.key = { id: 'schlüssel', secret: 'g€heim' };
		expect((await test(credentialFor(service))).status).toBe('OK');
	});

	it('follows no redirect', async () => {
		service.addFault({ kind: 'status', status: 302, headers: { Location: `${service.origin}/v2/webhooks` }, body: '' });
		expect(await test(credentialFor(service))).toMatchObject({
			status: 'Error',
			message: expect.stringContaining('redirect'),
		});
		expect(service.requests).toHaveLength(1);
	});
});
