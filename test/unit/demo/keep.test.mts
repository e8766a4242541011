import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepData, restoreData } from '../../../scripts/demo/keep.mts';
import { FakeArgyle } from '../../support/fakeArgyle/index.mts';
import { storeInvite } from '../../support/fakeArgyle/invites.mts';
import { isRecordType, RECORD_TYPES } from '../../support/fakeArgyle/recordTypes.mts';

const folder = mkdtempSync(join(tmpdir(), 'keep-'));
const file = join(folder, 'demo', 'argyle.json');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stateOf = ({ key, users, userForms, invites, messages, records }: FakeArgyle) => ({
	...{ key, messages, files: [...records.files.keys()].sort() },
	...{ users: [...users.values()], userForms: [...userForms.values()], invites: [...invites.values()] },
	records: Object.keys(RECORD_TYPES).map((name) => isRecordType(name) && [...records.of(name).values()]),
});

it('the next demo has the key, people, forms, invites, messages, orders, reports and files of the one before', () => {
	const first = new FakeArgyle({});
	const [user = ''] = first.users.keys();
	storeInvite(first, user, { email: 'alex@example.com', first_name: 'Alex', last_name: 'Sample' });
	first.addRecords('reports', 1, { user, status: 'generating' });
	first.storeForm({ user });
	const [erased = ''] = [...first.users.keys()].slice(1);
	first.users.delete(erased);
	keepData(first, file);
	const next = new FakeArgyle({});
	expect(next.key).not.toEqual(first.key);
	restoreData(next, file);
	expect(stateOf(next)).toEqual(stateOf(first));
});

it.each(['', '[]', '{"key": {"id": "a", "secret": "b"}}'])('what was kept as %p changes nothing', (text) => {
	const argyle = new FakeArgyle({});
	const before = JSON.stringify([argyle.key, [...argyle.users.keys()]]);
	writeFileSync(join(folder, 'odd.json'), text);
	restoreData(argyle, join(folder, 'odd.json'));
	restoreData(argyle, join(folder, 'none.json'));
	expect(JSON.stringify([argyle.key, [...argyle.users.keys()]])).toBe(before);
});
