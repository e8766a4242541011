import { randomUUID } from 'node:crypto';
import { storeInvite } from '../support/fakeArgyle/invites.mts';
import type { StoredRecord } from '../support/fakeArgyle/types.mts';
import { useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const NOW = Date.parse('2026-11-20T12:00:00Z');
const hoursAgo = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();

const owner = { user: randomUUID(), account: randomUUID() };
const addUser = (): StoredRecord => {
	const user = { id: randomUUID(), external_id: null, created_at: '' };
	node.service.users.set(user.id, user);
	return user;
};
const add = (name: 'accounts' | 'verifications' | 'reports' | 'user-uploads') => (): StoredRecord => {
	const [record] = node.service.records.add(name, 1, owner, {});
	if (record === undefined) throw new Error('nothing was stored');
	return record;
};

/** What stores one record of each resource that has the filters, and whether it says when it changed. */
const RESOURCES: Array<[resource: string, store: () => StoredRecord, isUpdated: boolean]> = [
	['account', add('accounts'), true],
	['verification', add('verifications'), true],
	['report', add('reports'), false],
	['userUpload', add('user-uploads'), true],
	['user', addUser, false],
	['invite', () => storeInvite(node.service, node.userId(), {}), true],
];

/** One record an hour, back from `NOW`. */
const storeMany = (store: () => StoredRecord, fields: string[]): StoredRecord[] =>
	Array.from({ length: 450 }, (_, index) =>
		Object.assign(store(), Object.fromEntries(fields.map((field) => [field, hoursAgo(index)]))),
	);

const idsFound = async (resource: string, filters: object, more: object = {}) => {
	const items = await node.run({ resource, operation: 'getAll', returnAll: true, filters, ...more });
	return items.map(({ json }) => json.id).sort();
};

const idsOf = (records: StoredRecord[]) => records.map(({ id }) => id).sort();

it.each(RESOURCES)(
	'%s Get Many with Created After reads back to that time, in one request',
	async (resource, store) => {
		if (resource === 'user') node.service.users.clear();
		const records = storeMany(store, ['created_at']);
		expect(await idsFound(resource, { createdAfter: hoursAgo(10) })).toEqual(idsOf(records.slice(0, 11)));
		expect(node.service.requests).toHaveLength(1);
	},
);

it.each(RESOURCES.filter(([, , isUpdated]) => isUpdated))(
	'%s Get Many with Updated After finds an old record that has changed, in all pages',
	async (resource, store) => {
		const records = storeMany(store, ['created_at', 'updated_at']);
		for (const index of [3, 440]) Object.assign(records[index] ?? {}, { updated_at: hoursAgo(0) });
		const changed = idsOf(records.filter((_, index) => [0, 3, 440].includes(index)));
		expect(await idsFound(resource, { updatedAfter: hoursAgo(0.5) })).toEqual(changed);
		expect(node.service.requests).toHaveLength(3);
		const both = { createdAfter: hoursAgo(10), updatedAfter: hoursAgo(0.5) };
		expect(await idsFound(resource, both)).toEqual(idsOf(records.filter((_, index) => [0, 3].includes(index))));
		expect(node.service.requests).toHaveLength(4);
	},
);
