import { randomUUID } from 'node:crypto';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { type FakeArgyle, startFakeArgyle } from '../support/fakeArgyle/index.mts';
import { failure } from '../support/n8nCore/failure.mts';
import { useFakeTime } from '../support/fakeTime.mts';
import { byId, fill, runWebhook } from '../support/n8nCore/runs.mts';

let service: FakeArgyle;
beforeEach(async () => {
	service = await startFakeArgyle({ requestsPerSecond: 1_000 });
});
afterEach(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

const run = async (operation: string, parameters: Record<string, unknown>) =>
	await runWebhook(service, operation, parameters);

const form = {
	name: 'Forms',
	url: 'https://example.com/argyle',
	events: ['user_forms.submitted'],
	additionalFields: {},
	options: {},
};

describe('Create', () => {
	it('gives the record, its secret masked', async () => {
		const [item] = await run('create', { ...form, additionalFields: { secret: 'my own secret' } });
		const [stored] = service.subscriptions.values();
		expect(stored).toMatchObject({ name: 'Forms', url: form.url, events: form.events, secret: 'my own secret' });
		expect(item?.json).toMatchObject({ id: stored?.id, name: 'Forms', has_secret: true });
		expect(JSON.stringify(item)).not.toContain('my own secret');
		expect(item?.pairedItem).toEqual({ item: 0 });
	});

	it('says when there is no secret, and brings it back when asked', async () => {
		expect((await run('create', form))[0]?.json).toMatchObject({ has_secret: false });
		const [item] = await run('create', {
			...form,
			additionalFields: { secret: 'my own secret' },
			options: { includeSecret: true },
		});
		expect(item?.json).toMatchObject({ secret: 'my own secret' });
		expect(item?.json).not.toHaveProperty('has_secret');
	});

	it('sends no secret when the field is left empty', async () => {
		await run('create', { ...form, additionalFields: { secret: '' } });
		expect(service.requests[0]?.body).toEqual({ name: 'Forms', url: form.url, events: form.events });
	});

	it('sends the settings as config', async () => {
		await run('create', { ...form, events: ['items.updated'], additionalFields: { items: ['item_1', 'item_2'] } });
		expect([...service.subscriptions.values()][0]?.config).toEqual({ items: ['item_1', 'item_2'] });
	});

	it('checks the input before any request, and names the item', async () => {
		const error = await failure(run('create', { ...form, url: 'nowhere' }));
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error.message).toBe('The URL of the webhook subscription is not a web address [item 0]');
		expect(error.context.itemIndex).toBe(0);
		expect(service.requests).toHaveLength(0);
	});

	it('keeps a secret that the service repeats out of the error', async () => {
		service.addFault({ kind: 'status', status: 400, body: { secret: ['"my own secret" is too weak.'] } });
		const error = await failure(run('create', { ...form, additionalFields: { secret: 'my own secret' } }));
		expect(error.description).toContain('"[hidden]" is too weak');
		expect(JSON.stringify(error)).not.toContain('my own secret');
	});
});

describe('Delete', () => {
	it('deletes, and tells the user the second time that it is not there', async () => {
		fill(service, 1);
		const [id = ''] = service.subscriptions.keys();
		expect(await run('delete', { webhookId: byId(id) })).toEqual([
			{ json: { deleted: true, id }, pairedItem: { item: 0 } },
		]);
		const error = await failure(run('delete', { webhookId: byId(id) }));
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toBe(`Argyle could not find the webhook subscription ${id} [item 0]`);
		expect(error.description).toMatch(/Argyle says: Not found\. HTTP status 404\. Trace ID [0-9a-f]{32}\./);
	});

	it.each([
		['', 'Webhook Subscription is missing'],
		['not-an-id', 'Webhook Subscription is not a valid ID'],
		['../users', 'Webhook Subscription is not a valid ID'],
	])('refuses %p before any request', async (value, message) => {
		expect((await failure(run('delete', { webhookId: byId(value) }))).message).toContain(message);
		expect(service.requests).toHaveLength(0);
	});
});

describe('Get', () => {
	it.each<[string, Parameters<FakeArgyle['addFault']>[0], string, string]>([
		['an HTML page', { kind: 'html', status: 200 }, "Argyle sent an answer that can't be read", 'JSON was expected'],
		['no record', { kind: 'status', status: 200, body: [] }, "subscription that can't be read", 'It has no ID'],
		['a record with an empty id', { kind: 'status', status: 200, body: { id: '' } }, "can't be read", 'It has no ID'],
	])('says so when the answer is %s', async (_, fault, message, description) => {
		useFakeTime();
		service.addFault({ ...fault, times: Infinity });
		const error = await failure(run('get', { webhookId: byId(randomUUID()), options: {} }));
		expect(error.message).toContain(message);
		expect(error.description).toContain(description);
	});

	it('gives the record, its secret masked or brought back', async () => {
		fill(service, 2);
		const [, second] = service.subscriptions.values();
		const id = second?.id ?? '';
		expect((await run('get', { webhookId: byId(` ${id} `), options: {} }))[0]?.json).toMatchObject({
			id,
			has_secret: true,
			config: {},
			last_sent_at: null,
		});
		expect((await run('get', { webhookId: byId(id), options: { includeSecret: true } }))[0]?.json).toMatchObject({
			secret: 'clear',
		});
	});
});

describe('over several items', () => {
	const three = [{ json: {} }, { json: {} }, { json: {} }];

	it('pairs each output with its input, and goes on after a failure when told to', async () => {
		fill(service, 2);
		const [one = '', other = ''] = service.subscriptions.keys();
		const missing = randomUUID();
		const id = `={{ ["${one}", "${missing}", "${other}"][$itemIndex] }}`;
		const items = await runWebhook(service, 'get', { webhookId: byId(id), options: {} }, true, three);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(items[0]?.json.id).toBe(one);
		expect(items[1]?.json).toEqual({
			error: `Argyle could not find the webhook subscription ${missing} [item 1]`,
			details: expect.stringContaining('404'),
		});
		expect(items[2]?.json.id).toBe(other);
	});

	it('stops at the failure otherwise, naming the item, with nothing changed for those behind it', async () => {
		const error = await failure(runWebhook(service, 'delete', { webhookId: byId(randomUUID()) }, false, three));
		expect(error.message).toContain('[item 0]');
		expect(service.requests).toHaveLength(1);
	});

	it('reads several at a time, and gives them in the order of the items', async () => {
		fill(service, 12);
		const ids = [...service.subscriptions.keys()];
		service.addFault({ kind: 'slow', delayMs: 150, path: `/v2/webhooks/${ids[0]}` });
		const id = `={{ ${JSON.stringify(ids)}[$itemIndex] }}`;
		const twelve = ids.map(() => ({ json: {} }));
		const items = await runWebhook(service, 'get', { webhookId: byId(id), options: {} }, false, twelve);
		expect(items.map(({ json }) => json.id)).toEqual(ids);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(ids.map((_, item) => ({ item })));
		expect(service.peakConcurrency).toBeGreaterThan(1);
	});

	it('gives nothing for nothing', async () => {
		expect(await runWebhook(service, 'get', { webhookId: byId(randomUUID()), options: {} }, false, [])).toEqual([]);
		expect(service.requests).toHaveLength(0);
	});
});

it('an operation that this version does not have is named', async () => {
	const error = await failure(run('rename', {}));
	expect(error.message).toContain('can\'t do "rename" with "webhook"');
	expect(error.description).toContain('Update n8n-nodes-argyle');
});
