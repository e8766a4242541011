import type { INodeExecutionData } from 'n8n-workflow';
import { type FakeArgyle, startFakeArgyle } from '../support/fakeArgyle/index.mts';
import { sign } from '../support/fakeArgyle/signedEvent.mts';
import { body, data } from '../support/n8nCore/deliveryFixture.mts';
import { runArgyle } from '../support/n8nCore/nodeFixture.mts';
import { failure } from '../support/n8nCore/failure.mts';
import { credentialFor } from '../support/fakeArgyle/credential.mts';

const SECRET = "a secret of one's own";

let service: FakeArgyle;
beforeEach(async () => (service = await startFakeArgyle()));
afterEach(async () => await service.stop());

/** An item as a Webhook node with Raw Body gives it. */
const received = (bytes: string, signature: unknown): INodeExecutionData => ({
	json: JSON.parse(JSON.stringify({ headers: { 'x-argyle-signature': signature }, body: {} })),
	binary: { data: { data: Buffer.from(bytes).toString('base64'), mimeType: 'application/json' } },
});

async function verify(items: INodeExecutionData[], parameters: Record<string, string> = {}) {
	const saved = {
		resource: 'webhook',
		operation: 'verify',
		rawBodyProperty: 'data',
		signature: "={{ $json.headers['x-argyle-signature'] }}",
		secret: SECRET,
		...parameters,
	};
	return await runArgyle(credentialFor(service), { parameters: saved }, items);
}

describe('Verify Delivery', () => {
	it('gives the event of a genuine delivery, and of no other anything', async () => {
		const genuine = sign(body, SECRET);
		const items = await verify([
			received(body, genuine),
			received(body.replace('user_forms', 'user_formz'), genuine),
			received(JSON.stringify(JSON.parse(body)), genuine),
			received(body, sign(body, 'another secret')),
			received(body, undefined),
			received(body, genuine.slice(1)),
			received('[]', sign('[]', SECRET)),
		]);
		expect(items.map(({ json }) => json)).toEqual([
			{ verified: true, event: 'user_forms.submitted', name: 'Forms', data },
			...Array.from({ length: 6 }, () => ({ verified: false })),
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		expect(service.requests).toHaveLength(0);
	});

	it('takes no event that calls itself verified for it', async () => {
		const claimed = '{"event":"user_forms.submitted","data":{},"verified":true}';
		expect((await verify([received(claimed, sign(claimed, 'x'))]))[0]?.json).toEqual({ verified: false });
		const denied = '{"event":"user_forms.submitted","data":{},"verified":false}';
		expect((await verify([received(denied, sign(denied, SECRET))]))[0]?.json).toMatchObject({ verified: true });
	});

	it('stops when it has no secret or no raw body', async () => {
		expect((await failure(verify([received(body, sign(body, ''))], { secret: '' }))).message).toContain(
			'Secret is empty',
		);
		const error = await failure(verify([received(body, sign(body, SECRET))], { rawBodyProperty: 'file' }));
		expect(error.message).toContain("'file'");
	});
});
