import { BINARY_IN_JSON_PROPERTY, type INodeExecutionData } from 'n8n-workflow';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { runNode, type RunOptions, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const SECRET = "a secret of one's own";

const event = { event: 'user_forms.submitted', name: 'Forms', data: { user_form: 'a form' } };
const body = eventBody(event.event, event.name, event.data);

const node = useNodeFixture();

const URL_OF_NODE = 'https://n8n.example.com/webhook/argyle-deliveries';

/** An item as a Webhook node with Raw Body outputs it. */
const received = (bytes: string, signature: string | undefined, webhookUrl = URL_OF_NODE): INodeExecutionData => ({
	json: { headers: { 'x-argyle-signature': signature }, body: {}, webhookUrl },
	binary: { data: { data: Buffer.from(bytes).toString('base64'), mimeType: 'application/json' } },
});

function receivedCombined(bytes: string, signature: string): INodeExecutionData {
	const { json, binary } = received(bytes, signature);
	return { json: { ...json, [BINARY_IN_JSON_PROPERTY]: JSON.parse(JSON.stringify(binary)) } };
}

const combined: RunOptions = { settings: { binaryMode: 'combined' } };

async function verify(items: INodeExecutionData[], parameters: Record<string, unknown> = {}, options: RunOptions = {}) {
	const saved = {
		resource: 'webhook',
		operation: 'verify',
		binaryPropertyName: 'data',
		signature: "={{ $json.headers['x-argyle-signature'] }}",
		secret: SECRET,
		...parameters,
	};
	return await node.run(saved, { ...options, items });
}

describe('Verify Delivery', () => {
	it('Verify Delivery outputs the event of a genuine delivery, and nothing of a forged one', async () => {
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
			{ verified: true, ...event },
			...Array.from({ length: 6 }, () => ({ verified: false })),
		]);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
		expect(node.service.requests).toHaveLength(0);
	});

	it('Verify Delivery ignores a field "verified" in the delivery', async () => {
		const claimed = '{"event":"user_forms.submitted","data":{},"verified":true}';
		expect((await verify([received(claimed, sign(claimed, 'x'))]))[0]?.json).toEqual({ verified: false });
		const denied = '{"event":"user_forms.submitted","data":{},"verified":false}';
		expect((await verify([received(denied, sign(denied, SECRET))]))[0]?.json).toMatchObject({ verified: true });
	});

	it('Verify Delivery fails without a raw body', async () => {
		const error = await failure(verify([received(body, sign(body, SECRET))], { binaryPropertyName: 'file' }));
		expect(error.message).toContain('Raw Body Field does not name a file of the item');
		expect(error.description).toContain('has: data.');
		const withoutFile = await failure(verify([{ json: received(body, '').json }]));
		expect(withoutFile.description).toContain('turn on Raw Body');
	});

	it.each(['_files.data', '={{ $json._files.data }}'])(
		'Verify Delivery takes the file of %s in the binary mode "combined"',
		async (binaryPropertyName) => {
			const items = [receivedCombined(body, sign(body, SECRET)), receivedCombined(body, sign(body, 'another'))];
			const output = await verify(items, { binaryPropertyName }, combined);
			expect(output.map(({ json }) => json.verified)).toEqual([true, false]);
		},
	);

	it.each(['data', '={{ $json._files }}'])(
		'Verify Delivery names the fields that there are when %s is none in the binary mode "combined"',
		async (binaryPropertyName) => {
			const action = verify([receivedCombined(body, sign(body, SECRET))], { binaryPropertyName }, combined);
			const { message, description } = await failure(action);
			expect(message).toContain('Raw Body Field does not name a file of the item');
			expect(description).toContain('has: _files.data.');
		},
	);
});

describe('Verify Delivery without a secret', () => {
	/** As n8n saves it: without the fields that have their default. */
	const saved = { resource: 'webhook', operation: 'verify' };

	/** The secret of the subscription that Create makes for a URL, without a secret. */
	async function createdSecret(url: string): Promise<string> {
		const parameters = { name: 'Forms', url, events: ['*'], additionalFields: {}, options: {} };
		await node.run({ resource: 'webhook', operation: 'create', ...parameters });
		return String([...node.service.subscriptions.values()].at(-1)?.secret);
	}

	it.each([
		URL_OF_NODE,
		`${URL_OF_NODE}/`,
		` ${URL_OF_NODE}?source=argyle#here `,
		'https://N8N.example.com:443/webhook/argyle-deliveries',
	])('Verify Delivery verifies what a subscription sends that Create made for %s', async (url) => {
		const items = [received(body, sign(body, await createdSecret(url)))];
		expect((await node.run(saved, { items }))[0]?.json).toEqual({ verified: true, ...event });
	});

	it.each([
		['to the test URL', URL_OF_NODE.replace('/webhook/', '/webhook-test/')],
		['to another path', `${URL_OF_NODE}2`],
		['to another host', URL_OF_NODE.replace('n8n.', 'm8n.')],
		['without encryption, by a private route', URL_OF_NODE.replace('https://n8n.example.com', 'http://n8n.internal')],
	])('Verify Delivery does not verify what a subscription %s sends, but does with its URL', async (_, url) => {
		const items = [received(body, sign(body, await createdSecret(url)))];
		expect((await node.run(saved, { items }))[0]?.json).toEqual({ verified: false });
		expect((await node.run({ ...saved, webhookUrl: url }, { items }))[0]?.json).toMatchObject({ verified: true });
	});

	it("Verify Delivery verifies nothing that another account's key signed", async () => {
		const items = [received(body, sign(body, await createdSecret(URL_OF_NODE)))];
		const other = { ...node.credential, apiKeySecret: 'another' };
		expect((await runNode(other, saved, { items }))[0]?.json).toEqual({ verified: false });
	});

	it.each([undefined, '', 'argyle-deliveries', 'mailto:n8n@example.com'])(
		'Verify Delivery names what is missing when the Webhook URL is %p',
		async (webhookUrl) => {
			const items = [{ ...received(body, sign(body, 'x')), json: { headers: {}, webhookUrl } }];
			const error = await failure(node.run(saved, { items }));
			expect(error.message).toBe('Webhook URL is not a web address [item 0]');
			expect(error.description).toContain('right behind the Webhook node');
		},
	);
});
