import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FakeArgyle, StoredRecord } from '../../test/support/fakeArgyle/index.mts';
import { isJson } from '../../test/support/json.mts';

const isRecord = (value: unknown): value is StoredRecord => isJson(value) && typeof value.id === 'string';
const recordsOf = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);

/** Writes the key, the people and their forms, so that what was built with them works in the next demo. */
export function keepPeople({ key, users, userForms }: FakeArgyle, file: string): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, JSON.stringify({ key, users: [...users.values()], userForms: [...userForms.values()] }));
}

/** The same key, people and forms as in the last demo. Where none was kept, the fake Argyle stays as it is. */
export function restorePeople(argyle: FakeArgyle, file: string): void {
	let kept: unknown;
	try {
		kept = JSON.parse(readFileSync(file, 'utf8'));
	} catch {
		return;
	}
	if (!isJson(kept) || !isJson(kept.key)) return;
	argyle.key = { id: String(kept.key.id), secret: String(kept.key.secret) };
	argyle.users.clear();
	for (const user of recordsOf(kept.users)) argyle.users.set(user.id, user);
	argyle.userForms.clear();
	for (const form of recordsOf(kept.userForms)) {
		argyle.userForms.set(form.id, form);
		argyle.records.addSeed({ account: String(form.account), user: String(form.user) });
	}
}
