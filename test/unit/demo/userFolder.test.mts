import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openUserFolder } from '../../../scripts/demo/userFolder.mts';

const parent = mkdtempSync(join(tmpdir(), 'demo-'));
const folder = join(parent, '5678');
const umask = process.umask();
afterAll(() => {
	process.umask(umask);
	rmSync(parent, { recursive: true, force: true });
});

it('each start has a password and an encryption key of its own, in an empty folder, unless the data is kept', () => {
	const first = openUserFolder(folder, true);
	writeFileSync(join(folder, 'database.sqlite'), '');
	expect(openUserFolder(folder, true)).toEqual(first);
	expect(readdirSync(folder)).toEqual(['database.sqlite', 'secrets.json']);
	const next = openUserFolder(folder, false);
	expect([next.password, next.encryptionKey]).not.toContain(first.password);
	expect(next.encryptionKey).not.toBe(first.encryptionKey);
	expect(readdirSync(folder)).toEqual(['secrets.json']);
});

it('data of an earlier version, which has no password of its own, is not kept', () => {
	rmSync(join(folder, 'secrets.json'));
	writeFileSync(join(folder, 'database.sqlite'), '');
	openUserFolder(folder, true);
	expect(readdirSync(folder)).toEqual(['secrets.json']);
});

it('what an n8n of the demo writes, only its user can read', () => {
	openUserFolder(folder, true);
	writeFileSync(join(folder, 'database.sqlite'), '');
	const modeOf = (name: string) => (statSync(join(folder, name)).mode & 0o777).toString(8);
	expect(['.', 'secrets.json', 'database.sqlite'].map(modeOf)).toEqual(['700', '600', '600']);
});
