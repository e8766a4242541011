import { randomUUID } from 'node:crypto';
import { isJson } from '../json.mts';
import { RECORD_TYPES, type RecordTypeName, isRecordType, recordOf } from './recordTypes.mts';
import type { Owner, ServedFile, StoredRecord } from './types.mts';

const SEEDED_OF_EACH = 3;

/** The records of all record types, and the files that they lead to. */
export class Records {
	/** By path, on Argyle's own host. A report's JSON and all others are PDFs unless a test says otherwise. */
	readonly files = new Map<string, ServedFile>();

	private readonly stores = new Map<RecordTypeName, Map<string, StoredRecord>>();

	of(name: RecordTypeName): Map<string, StoredRecord> {
		const store = this.stores.get(name) ?? new Map<string, StoredRecord>();
		this.stores.set(name, store);
		return store;
	}

	/** A user's account with some records of each record type that is chosen. */
	addSeed(owner: Owner, isChosen: (name: RecordTypeName) => boolean = () => true): void {
		for (const name of Object.keys(RECORD_TYPES))
			if (isRecordType(name) && name !== 'accounts' && isChosen(name)) this.add(name, SEEDED_OF_EACH, owner);
	}

	addAccount({ account, user }: Owner): void {
		this.of('accounts').set(account, recordOf('accounts', { account, user }, 0, account));
	}

	/** Adds records from the newest to the oldest. An account that is not known yet is stored, too. */
	add(name: RecordTypeName, count: number, owner: Owner, fields: object = {}): StoredRecord[] {
		if (name !== 'accounts' && !this.of('accounts').has(owner.account)) this.addAccount(owner);
		return Array.from({ length: count }, (_, index) => {
			const id = randomUUID();
			const record = { ...recordOf(name, owner, index, id), ...fields };
			this.put(name, record);
			return record;
		});
	}

	put(name: RecordTypeName, record: StoredRecord): void {
		this.of(name).set(record.id, record);
		for (const { file_url, json_url } of [record, isJson(record.report) ? record.report : {}]) {
			this.addFile(file_url, {});
			this.addFile(json_url, {
				headers: { 'Content-Type': 'application/json' },
				body: JSON.stringify({ report: record.id }),
			});
		}
	}

	private addFile(url: unknown, file: ServedFile): void {
		if (typeof url === 'string') this.files.set(url.replace(/^[^/]*/, ''), file);
	}
}
