import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FakeArgyle, Message, StoredRecord } from '../../test/support/fakeArgyle/index.mts';
import { isRecordType, RECORD_TYPES } from '../../test/support/fakeArgyle/recordTypes.mts';
import { isJson } from '../../test/support/json.mts';

const RECORD_NAMES = Object.keys(RECORD_TYPES).filter(isRecordType);

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isRecord = (value: unknown): value is StoredRecord => isJson(value) && typeof value.id === 'string';
const recordsOf = (value: unknown) => listOf(value).filter(isRecord);
const isMessage = (value: unknown): value is Message => isJson(value) && typeof value.invite === 'string';

/** Writes the key and everything that is known of people, so that what was built with them works in the next demo. */
export function keepData({ key, users, userForms, invites, messages, records }: FakeArgyle, file: string): void {
	const stored = RECORD_NAMES.map((name) => [name, [...records.of(name).values()]]);
	const people = { users: [...users.values()], userForms: [...userForms.values()], invites: [...invites.values()] };
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, JSON.stringify({ key, ...people, messages, records: Object.fromEntries(stored) }));
}

function refill(store: Map<string, StoredRecord>, kept: unknown): void {
	store.clear();
	for (const record of recordsOf(kept)) store.set(record.id, record);
}

/** The same key, people, invites and records as in the last demo. Where none were kept, all stays as it is. */
export function restoreData(argyle: FakeArgyle, file: string): void {
	let kept: unknown;
	try {
		kept = JSON.parse(readFileSync(file, 'utf8'));
	} catch {
		return;
	}
	if (!isJson(kept) || !isJson(kept.key) || !isJson(kept.records)) return;
	argyle.key = { id: String(kept.key.id), secret: String(kept.key.secret) };
	refill(argyle.users, kept.users);
	refill(argyle.userForms, kept.userForms);
	refill(argyle.invites, kept.invites);
	argyle.messages.splice(0, Infinity, ...listOf(kept.messages).filter(isMessage));
	argyle.records.files.clear();
	for (const name of RECORD_NAMES) {
		argyle.records.of(name).clear();
		for (const record of recordsOf(kept.records[name])) argyle.records.put(name, record);
	}
}
