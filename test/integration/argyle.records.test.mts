import { randomUUID } from 'node:crypto';
import type { Filter } from '../../nodes/Argyle/api/filters';
import { RECORD_TYPES, type RecordType } from '../../nodes/Argyle/api/recordTypes';
import { isRecordType } from '../support/fakeArgyle/recordTypes.mts';
import type { StoredRecord } from '../support/fakeArgyle/types.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const run = async (resource: string, operation: string, parameters: object) =>
	await node.run({ resource, operation, ...parameters });

/** As Argyle has it, without masks. */
const RAW = { simplify: false, options: { includeSensitive: true } };

const recordTypes = Object.entries<RecordType>(RECORD_TYPES).map(([resource, recordType]) => ({
	resource,
	...recordType,
}));
const readOneByOne = recordTypes.filter(({ isListOnly }) => !isListOnly);

const idOf = (resource: string, id: string) => ({ [`${resource}Id`]: resource === 'user' ? byId(id) : id });

function stored(path: string): Map<string, StoredRecord> {
	const name = path.replace('/v2/', '');
	if (isRecordType(name)) return node.service.records.of(name);
	return name === 'users' ? node.service.users : node.service.userForms;
}

function anyOf(path: string): StoredRecord {
	const [record] = stored(path).values();
	if (record === undefined) throw new Error(`there is no record of ${path}`);
	return record;
}

const sortedIds = (records: object[]) => records.map((record) => ('id' in record ? String(record.id) : '')).sort();

describe('Get', () => {
	it.each(readOneByOne)('$resource Get asks for the one record, and outputs it', async ({ resource, path }) => {
		const record = anyOf(path);
		const [item] = await run(resource, 'get', { ...idOf(resource, record.id), ...RAW });
		// A form has no user at Argyle, and files have a whole address.
		expect(item?.json).toMatchObject({ id: record.id, created_at: record.created_at });
		expect(node.service.requests.map((request) => request.path)).toEqual([`${path}/${record.id}`]);
	});

	it.each(['user', 'userForm', 'account', 'payrollDocument', 'userUpload', 'report', 'verification'])(
		'%s Get takes an ID as text, and as a choice from the list',
		async (resource) => {
			const { path = '' } = recordTypes.find((recordType) => recordType.resource === resource) ?? {};
			const { id } = anyOf(path);
			for (const chosen of [id, byId(id), { __rl: true, mode: 'list', value: id, cachedResultName: 'One' }]) {
				const [item] = await run(resource, 'get', { [`${resource}Id`]: chosen });
				expect(item?.json.id).toBe(id);
			}
		},
	);
});

describe('Get Many', () => {
	it.each(recordTypes)('$resource Get Many outputs all records, or as many as Limit', async ({ resource, path }) => {
		const all = await run(resource, 'getAll', { returnAll: true, filters: {} });
		expect(sortedIds(all.map(({ json }) => json))).toEqual(sortedIds([...stored(path).values()]));
		expect(await run(resource, 'getAll', { returnAll: false, limit: 2, filters: {} })).toHaveLength(2);
	});

	const FILTERS: Array<[resource: string, filters: Record<string, string>, query: string]> = [
		['user', { externalId: ' crm-1002 ' }, 'external_id=crm-1002'],
		['user', { externalId: '"crm-1002"' }, 'external_id=crm-1002'],
		['account', { item: 'item_000001422' }, 'item=item_000001422'],
		['account', { item: ' "item_000001422" ' }, 'item=item_000001422'],
		['account', { ongoingRefreshStatus: 'enabled' }, 'ongoing_refresh_status=enabled'],
		['userUpload', { documentType: 'W-2' }, 'document_type=W-2'],
		['verification', { loanNumber: '1234' }, 'loan_number=1234'],
		['verification', { reportType: 'voie' }, 'report_type=voie'],
		['verification', { statusCode: 'authenticated' }, 'status_code=authenticated'],
		['verification', { statusState: 'PROCESSING' }, 'status_state=PROCESSING'],
		['verification', { statusState: 'processing' }, 'status_state=PROCESSING'],
	];

	it('each filter that Argyle has, and that is neither an ID nor a time, has a row', () => {
		const isPlain = ({ kind, query }: Filter) =>
			query !== '' && !['id', 'user', 'account', 'from', 'to'].includes(kind);
		const all = recordTypes.flatMap(({ resource, filters }) =>
			filters.filter(isPlain).map(({ name }) => `${resource} ${name}`),
		);
		expect(new Set(FILTERS.map(([resource, filters]) => `${resource} ${Object.keys(filters)[0]}`))).toEqual(
			new Set(all),
		);
	});

	it.each(FILTERS)('%s Get Many with the filter %p asks for %s', async (resource, filters, query) => {
		await run(resource, 'getAll', { returnAll: true, filters });
		expect(node.service.requests.map((request) => request.query)).toEqual([`?${query}&limit=200`]);
	});

	it.each(['Whole Goods', 41078])('Account Get Many refuses %p as an Item ID, before a request', async (item) => {
		expect(await node.refusalOf(run('account', 'getAll', { returnAll: true, filters: { item } }))).toBe(
			`Item ID has an entry that is not the ID of an Item: ${item} [item 0]`,
		);
	});

	it.each([
		['account', 'Item ID', { item: ['item_000001422', 'item_000041078'] }],
		['userUpload', 'Document Type', { documentType: 'paystubs, W-2' }],
		['verification', 'Status State', { statusState: '={{ ["COMPLETED", "PAUSED"] }}' }],
	])('%s Get Many refuses several values of %s, of which Argyle takes one', async (resource, name, filters) => {
		expect(await node.refusalOf(run(resource, 'getAll', { returnAll: true, filters }))).toBe(
			`The filter ${name} takes one value [item 0]`,
		);
	});

	const idFilters = recordTypes.flatMap(({ resource, path, filters }) =>
		filters
			.filter(({ kind }) => ['id', 'user', 'account'].includes(kind))
			.map(({ name, displayName }) => ({ resource, path, name, displayName })),
	);

	it.each(idFilters)('$resource Get Many filters by $name', async ({ resource, path, name, displayName }) => {
		const id = randomUUID();
		for (const given of [id, byId(id)])
			expect(await run(resource, 'getAll', { returnAll: true, filters: { [name]: given } })).toEqual([]);
		const asked = node.service.requests.map((request) => request.path + request.query);
		expect(asked).toEqual([`${path}?${name}=${id}&limit=200`, `${path}?${name}=${id}&limit=200`]);
		const error = await failure(run(resource, 'getAll', { returnAll: true, filters: { [name]: 'bob' } }));
		expect(error.message).toBe(`${displayName} is not a valid ID [item 0]`);
		expect(node.service.requests).toHaveLength(2);
	});
});
