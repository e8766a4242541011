import { randomUUID } from 'node:crypto';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { type Service, startService } from '../service/index.mts';
import { newSubscription } from '../service/webhooks.mts';
import { runArgyle } from './execute.mts';
import { failure } from './failure.mts';
import { credentialFor } from './workflow.mts';

let service: Service;
beforeEach(async () => {
	service = await startService({ requestsPerSecond: 1_000 });
});
afterEach(async () => await service.stop());

const webhookId = (value: string) => ({ __rl: true, mode: 'id', value });
const run = async (
	operation: string,
	parameters: Record<string, unknown>,
	more: object = {},
	items?: Array<{ json: object }>,
) =>
	await runArgyle(
		credentialFor(service),
		{ parameters: JSON.parse(JSON.stringify({ resource: 'webhook', operation, ...parameters })), ...more },
		items?.map(({ json }) => ({ json: { ...json } })),
	);

const form = {
	name: 'Forms',
	url: 'https://example.com/argyle',
	events: ['user_forms.submitted'],
	additionalFields: {},
	options: {},
};

function fill(count: number) {
	for (let index = 0; index < count; index++) {
		const made = newSubscription({
			name: `n${index}`,
			url: 'https://example.com',
			events: ['*'],
			secret: index % 2 ? 'clear' : null,
		});
		service.subscriptions.set(made.id, {
			...made,
			created_at: new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString(),
		});
	}
}

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
		fill(1);
		const [id = ''] = service.subscriptions.keys();
		expect(await run('delete', { webhookId: webhookId(id) })).toEqual([
			{ json: { deleted: true, id }, pairedItem: { item: 0 } },
		]);
		const error = await failure(run('delete', { webhookId: webhookId(id) }));
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.message).toBe(`Argyle could not find the webhook subscription ${id} [item 0]`);
		expect(error.description).toMatch(/Argyle says: Not found\. HTTP status 404\. Trace ID [0-9a-f]{32}\./);
	});

	it.each([
		['', 'Webhook Subscription is missing'],
		['not-an-id', 'Webhook Subscription is not a valid ID'],
		['../users', 'Webhook Subscription is not a valid ID'],
	])('refuses %p before any request', async (value, message) => {
		expect((await failure(run('delete', { webhookId: webhookId(value) }))).message).toContain(message);
		expect(service.requests).toHaveLength(0);
	});
});

describe('Get', () => {
	it('gives the record, its secret masked or brought back', async () => {
		fill(2);
		const [, second] = service.subscriptions.values();
		const id = second?.id ?? '';
		expect((await run('get', { webhookId: webhookId(` ${id} `), options: {} }))[0]?.json).toMatchObject({
			id,
			has_secret: true,
			config: {},
			last_sent_at: null,
		});
		expect((await run('get', { webhookId: webhookId(id), options: { includeSecret: true } }))[0]?.json).toMatchObject({
			secret: 'clear',
		});
	});
});

describe('Get Many', () => {
	const list = { returnAll: true, filters: {}, options: {} };

	it('returns all 205 over two pages', async () => {
		fill(205);
		const items = await run('getAll', list);
		expect(items).toHaveLength(205);
		expect(new Set(items.map(({ json }) => json.id)).size).toBe(205);
		expect(service.requests).toHaveLength(2);
		expect(service.requests[0]?.query).toContain('limit=200');
		expect(JSON.stringify(items)).not.toContain('"clear"');
	});

	it('stops at the limit, on whichever page that is', async () => {
		fill(205);
		expect(await run('getAll', { ...list, returnAll: false, limit: 7 })).toHaveLength(7);
		expect(service.requests.map(({ query }) => query)).toEqual(['?limit=7']);
		expect(await run('getAll', { ...list, returnAll: false, limit: 203 })).toHaveLength(203);
		expect(await run('getAll', { ...list, returnAll: false })).toHaveLength(50);
	});

	it('gives no item for an empty account', async () => expect(await run('getAll', list)).toEqual([]));

	it('filters by creation time and sorts', async () => {
		fill(5);
		const filters = {
			createdAfter: '2026-01-01T00:00:01Z',
			createdBefore: '2026-01-01T01:00:03+01:00',
			ordering: 'id',
		};
		const items = await run('getAll', { ...list, filters });
		expect(items.map(({ json }) => json.name).sort()).toEqual(['n1', 'n2', 'n3']);
		expect(items.map(({ json }) => json.id)).toEqual(items.map(({ json }) => json.id).sort());
	});

	it.each([0, -1, 1.5, 'many'])('refuses the limit %p', async (limit) => {
		expect((await failure(run('getAll', { ...list, returnAll: false, limit }))).message).toContain('Limit');
	});

	it.each(['createdAfter', 'createdBefore'])('refuses a %s that is no date', async (filter) => {
		expect((await failure(run('getAll', { ...list, filters: { [filter]: 'soon' } }))).message).toContain(
			'is not a date',
		);
		expect(service.requests).toHaveLength(0);
	});

	it.each<[string, unknown]>([
		['points to another host', 'https://evil.example/v2/webhooks?cursor=x'],
		['is not an address', '/v2/webhooks'],
		['is not even text', 7],
	])('sends nothing on when "next" %s', async (_, next) => {
		service.addFault({ kind: 'status', status: 200, body: { next, previous: null, results: [] } });
		expect((await failure(run('getAll', list))).message).toContain("list that can't be read");
		expect(service.requests).toHaveLength(1);
	});

	it('follows the query of a link that names the API behind an egress proxy, at the proxy', async () => {
		fill(1);
		service.addFault({
			kind: 'status',
			status: 200,
			body: { next: 'https://api.argyle.com/v2/webhooks?limit=3', results: [] },
		});
		expect(await run('getAll', list)).toHaveLength(1);
		expect(service.requests[1]?.query).toBe('?limit=3');
	});

	it('ends when the pages go round in a circle', async () => {
		service.addFault({
			kind: 'status',
			status: 200,
			times: 10,
			body: { next: `${service.origin}/v2/webhooks?cursor=same`, results: [{ id: 'x' }] },
		});
		expect((await failure(run('getAll', list))).description).toContain('circle');
		expect(service.requests.length).toBeLessThan(4);
	});

	it.each<[string, unknown]>([
		['no list', { results: 'none' }],
		['no object', []],
	])('says so when the answer is %s', async (_, body) => {
		service.addFault({ kind: 'status', status: 200, body });
		expect((await failure(run('getAll', list))).description).toContain('results');
	});

	it('takes an empty "next" for the end and leaves out what is no record', async () => {
		service.addFault({ kind: 'status', status: 200, body: { next: '', results: [{ id: 'a' }, null, 7] } });
		expect(await run('getAll', list)).toHaveLength(1);
	});
});

describe('over several items', () => {
	const three = [{ json: {} }, { json: {} }, { json: {} }];

	it('pairs each output with its input, and goes on after a failure when told to', async () => {
		fill(2);
		const [one = '', other = ''] = service.subscriptions.keys();
		const missing = randomUUID();
		const id = `={{ ["${one}", "${missing}", "${other}"][$itemIndex] }}`;
		const items = await run('get', { webhookId: webhookId(id), options: {} }, { continueOnFail: true }, three);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(items[0]?.json.id).toBe(one);
		expect(items[1]?.json).toEqual({
			error: `Argyle could not find the webhook subscription ${missing} [item 1]`,
			details: expect.stringContaining('404'),
		});
		expect(items[2]?.json.id).toBe(other);
	});

	it('stops at the failure otherwise, naming the item', async () => {
		const error = await failure(run('get', { webhookId: webhookId(randomUUID()), options: {} }, {}, three));
		expect(error.message).toContain('[item 0]');
		expect(service.requests).toHaveLength(1);
	});
});

it('an operation that this version does not have is named', async () => {
	const error = await failure(run('rename', {}));
	expect(error.message).toContain('can\'t do "rename" with "webhook"');
	expect(error.description).toContain('Update n8n-nodes-argyle');
});
