import { randomUUID } from 'node:crypto';
import { userForm } from '../support/fakeArgyle/seed.mts';
import type { StoredRecord } from '../support/fakeArgyle/types.mts';
import { useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const NOW = Date.UTC(2026, 10, 1);

const namesOf = ({ results }: { results: Array<{ name: string }> }) => results.map(({ name }) => name);
const pathsAsked = () => node.service.requests.map(({ path }) => path);

describe('searchUserForms', () => {
	it('searchUserForms names forms by what the person wrote and when, the newest first', async () => {
		node.service.userForms.clear();
		for (const [hour, payrollProvider] of ['Cash', ''].entries()) {
			const form = userForm(randomUUID(), 'Harbour Taxi', payrollProvider);
			node.service.userForms.set(form.id, { ...form, created_at: `2026-10-30T1${hour}:05:00.000Z` });
		}
		// In the time zone that n8n has by default, New York.
		expect(namesOf(await node.search('searchUserForms'))).toEqual([
			'Harbour Taxi · 2026-10-30 07:05',
			'Harbour Taxi · Cash · 2026-10-30 06:05',
		]);
	});

	it('searchUserForms names a form without any readable field by the ID', async () => {
		const id = randomUUID();
		node.service.userForms.set(id, { id, data: null, created_at: 'yesterday' });
		expect((await node.search('searchUserForms')).results).toContainEqual({ name: id, value: id });
	});

	it('searchUserForms finds a form by any part of its text on all pages, and by its ID at once', async () => {
		const forms = Array.from({ length: 450 }, (_, index) => userForm(randomUUID(), `Taxi ${index}.`, 'Cash'));
		for (const form of forms) node.service.userForms.set(form.id, form);
		for (const index of [3, 449]) {
			const { results } = await node.search('searchUserForms', ` taxi ${index}. `);
			expect(results.map(({ value }) => value)).toEqual([forms[index]?.id]);
		}
		node.service.requests.length = 0;
		const { results } = await node.search('searchUserForms', forms[7]?.id.toUpperCase());
		expect(results).toEqual([{ name: expect.stringMatching(/^Taxi 7\. · Cash · /), value: forms[7]?.id }]);
		expect(pathsAsked()).toEqual([`/v2/user-forms/${forms[7]?.id}`]);
	});

	it('searchUserForms says so when not all forms were searched, and that entry is no choice', async () => {
		for (let index = 0; index < 450; index++) {
			const form = userForm(randomUUID(), 'Harbour Taxi', 'Cash');
			node.service.userForms.set(form.id, form);
		}
		useFakeTime(() => NOW + node.service.requests.length * 10_000);
		const { results } = await node.search('searchUserForms', 'bakery');
		expect(results).toEqual([{ name: expect.stringMatching(/^Not all user forms were searched/), value: ' ' }]);
		const userFormId = { __rl: true, mode: 'list', value: results[0]?.value };
		const error = await failure(node.run({ resource: 'userForm', operation: 'get', userFormId }));
		expect(error.message).toBe('User Form is missing [item 0]');
		expect(error.description).toContain('Choose an entry in User Form');
	});
});

/** Adds users, each with an account, and returns the accounts. */
function addAccounts(count: number): StoredRecord[] {
	return Array.from({ length: count }, (_, index) => {
		const [user, account] = [randomUUID(), randomUUID()];
		node.service.users.set(user, { id: user, first_name: 'No', last_name: `${index}.`, ssn: '522-09-1191' });
		node.service.records.addAccount({ user, account });
		return { id: account };
	});
}

describe('searchAccounts', () => {
	it('searchAccounts names accounts by user, employers, source and when they were connected', async () => {
		const [bare, , unknown] = [...addAccounts(1), ...node.service.accounts.values()];
		for (const record of node.service.accounts.values()) {
			if (record === unknown) Object.assign(record, { user: randomUUID(), employers: [] });
		}
		const id = bare?.id ?? '';
		node.service.accounts.set(id, { id });
		const list = await node.search('searchAccounts');
		expect(namesOf(list).sort()).toEqual(
			[id, 'crm-1002 · Whole Goods · payrollcorp · 2026-10-30 08:00', 'payrollcorp · 2026-10-30 08:00'].sort(),
		);
		expect(JSON.stringify(list)).not.toContain('522-09');
	});

	it('searchAccounts continues with the next page, and asks for no more than one page of users with each', async () => {
		const accounts = addAccounts(450);
		const first = await node.search('searchAccounts');
		expect(first.results).toHaveLength(200);
		expect(pathsAsked()).toEqual(['/v2/users', '/v2/accounts']);
		const pages = await node.searchPages('searchAccounts');
		const values = new Set(pages.flatMap(({ results }) => results.map(({ value }) => value)));
		expect(accounts.filter(({ id }) => !values.has(id))).toEqual([]);
	});

	it('searchAccounts finds an account by the name of its user, wherever user and account are listed', async () => {
		const accounts = addAccounts(450);
		for (const index of [0, 449]) {
			const { results } = await node.search('searchAccounts', `no ${index}.`);
			expect(results.map(({ value }) => value)).toEqual([accounts[index]?.id]);
		}
	});

	it('searchAccounts finds an account by its ID at once', async () => {
		const [account] = addAccounts(450);
		const { results } = await node.search('searchAccounts', account?.id);
		expect(results.map(({ value }) => value)).toEqual([account?.id]);
		expect(pathsAsked()).toEqual(['/v2/users', `/v2/accounts/${account?.id}`]);
	});

	it('searchAccounts says so when all accounts were searched, but not the names of all users', async () => {
		addAccounts(450);
		for (const id of [...node.service.accounts.keys()].slice(50)) node.service.accounts.delete(id);
		useFakeTime(() => NOW + node.service.requests.length * 2_500);
		const { results } = await node.search('searchAccounts', 'nobody');
		expect(results).toEqual([{ name: expect.stringMatching(/^Not all accounts were searched/), value: ' ' }]);
		expect(pathsAsked()).toEqual(['/v2/users', '/v2/users', '/v2/accounts']);
	});
});

describe('the lists of reports, documents and uploads', () => {
	it.each([
		['searchReports', 'reports', { type: 'voie', status: 'generated' }, 'Income and Employment (VOIE) · generated'],
		[
			'searchPayrollDocuments',
			'payroll-documents',
			{ document_type: 'w2', document_type_description: 'Form W-2', employer: 'Harbour Taxi' },
			'Form W-2 · Harbour Taxi',
		],
		['searchUserUploads', 'user-uploads', { document_type: 'W-2', file_name: 'my w2.pdf' }, 'W-2 · my w2.pdf'],
	] as const)(
		'%s names whose it is, what and when, and finds it by the name and by the ID',
		async (method, type, fields, words) => {
			const [account] = addAccounts(450).slice(-1);
			const owner = node.service.accounts.get(account?.id ?? '');
			const [record] = node.service.addRecords(type, 1, {
				...{ user: String(owner?.user), account: account?.id, created_at: '2026-10-30T12:05:00.000Z', ...fields },
			});
			const expected = [{ name: `No 449. · ${words} · 2026-10-30 08:05`, value: record?.id }];
			expect((await node.search(method, 'no 449.')).results).toEqual(expected);
			expect((await node.search(method, record?.id)).results.map(({ value }) => value)).toEqual([record?.id]);
		},
	);
});
