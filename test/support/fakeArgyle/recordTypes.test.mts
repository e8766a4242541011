import { randomUUID } from 'node:crypto';
import { RECORD_TYPES, type RecordType, isRecordType } from './recordTypes.mts';
import { type FakeArgyle, startFakeArgyle, type StoredRecord } from './index.mts';

let argyle: FakeArgyle;
beforeEach(async () => {
	argyle = await startFakeArgyle({ requestsPerSecond: 1_000 });
});
afterEach(async () => await argyle.stop());

const names = Object.keys(RECORD_TYPES).filter(isRecordType);

async function get(pathOrUrl: string) {
	return await fetch(new URL(pathOrUrl, argyle.origin), {
		headers: { Authorization: `Basic ${btoa(`${argyle.key.id}:${argyle.key.secret}`)}` },
	});
}

async function list(path: string): Promise<StoredRecord[]> {
	const records = [];
	for (let next: string | null = path; next !== null; ) {
		const page: { next?: string | null; results: StoredRecord[] } = await (await get(next)).json();
		records.push(...page.results);
		next = page.next ?? null;
	}
	return records;
}

it.each(names)('serves the list of %s by account or user, newest first, and each of them', async (name) => {
	const user = [...argyle.users.keys()][0] ?? '';
	const account = randomUUID();
	const added = argyle.addRecords(name, 2, { user, account });
	const ids = added.map(({ id }) => id);
	const listed = (await list(`/v2/${name}?limit=1&user=${user}`)).map(({ id }) => id);
	expect(listed).toEqual(name === 'accounts' ? expect.arrayContaining(ids) : ids);
	const byAccount = (await list(`/v2/${name}?limit=200&account=${randomUUID()}`)).length;
	expect(byAccount).toBe(RECORD_TYPES[name].filters.includes('account') ? 0 : argyle.records.of(name).size);
	const { isListOnly = false }: RecordType = RECORD_TYPES[name];
	const one = await get(`/v2/${name}/${ids[0]}`);
	expect(one.status).toBe(isListOnly ? 404 : 200);
	expect((await get(`/v2/${name}/${randomUUID()}`)).status).toBe(404);
});

it.each([
	['accounts', 'ongoing_refresh_status', 'disabled', { ongoing_refresh: { status: 'disabled' } }],
	['verifications', 'status_state', 'CANCELLED', { status: { state: 'CANCELLED' } }],
	['verifications', 'report_type', 'voa', { report: { type: 'voa' } }],
	['verifications', 'loan_number', 'L-1', { loan: { number: 'L-1' } }],
	['user-uploads', 'document_type', 'W-2', { document_type: 'W-2' }],
] as const)('filters %s by %s', async (name, filter, value, fields) => {
	const [added] = argyle.addRecords(name, 1, fields);
	expect((await list(`/v2/${name}?${filter}=${value}`)).map(({ id }) => id)).toEqual([added?.id]);
});
