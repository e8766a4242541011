import { randomUUID } from 'node:crypto';
import { isJson, type Json } from '../json.mts';
import type { FakeArgyle } from './index.mts';
import type { Records } from './records.mts';
import type { Owner, StoredRecord } from './types.mts';

/** What is delivered when an account is connected, in this order. */
export const EVENTS_OF_CONNECTING = [
	...['accounts.added', 'accounts.connected', 'identities.added', 'users.fully_synced', 'reports.ready'],
];

export const EVENTS_OF_FAILING = ['accounts.added', 'accounts.failed'];

/** Whose availability moves with each scan, though nothing is new. */
const SCANNED = ['gigs', 'shifts', 'paystubs'];

const OTHER_DATA_SETS = ['payroll_documents', 'identities', 'ratings', 'vehicles', 'deposit_destinations'];

const NEVER_SCANNED = '1970-01-01T00:00:00.000Z';

const object = (value: unknown) => (isJson(value) ? value : {});

function accountOf(records: Records, id: string): StoredRecord {
	const account = records.of('accounts').get(id);
	if (account === undefined) throw new Error(`The fake Argyle has no account ${id}`);
	return account;
}

const ownerOf = ({ id, user }: StoredRecord): Owner => ({ account: id, user: String(user) });

async function addAccount(argyle: FakeArgyle, user: string): Promise<StoredRecord> {
	const owner = { account: randomUUID(), user };
	argyle.records.addAccount(owner);
	const account = accountOf(argyle.records, owner.account);
	const now = argyle.now();
	Object.assign(account, { created_at: now, updated_at: now, scanned_at: NEVER_SCANNED, availability: {} });
	Object.assign(account, { ongoing_refresh: { status: 'idle' } });
	setStatus(argyle, account, 'connection', 'connecting');
	setStatus(argyle, account, 'direct_deposit_switch', 'idle');
	await argyle.deliver('accounts.added', { ...owner });
	return account;
}

function setStatus(
	argyle: FakeArgyle,
	account: StoredRecord,
	field: 'connection' | 'direct_deposit_switch',
	status: string,
	error: object = {},
): void {
	const now = argyle.now();
	account[field] = { status, error_code: null, error_message: null, ...error, updated_at: now };
	account.updated_at = now;
}

/** Argyle has read all data sets, or those that move with each scan. */
function noteScan(argyle: FakeArgyle, account: StoredRecord, dataSets: string[]): void {
	const now = argyle.now();
	const counts = { available_count: 0, available_from: null, available_to: null };
	const state = (name: string) => ({
		...{ status: 'synced', updated_at: now },
		...(SCANNED.includes(name) ? counts : {}),
		...(name === 'user_forms' ? { available_count: 0 } : {}),
	});
	const scanned = Object.fromEntries(dataSets.map((name) => [name, state(name)]));
	Object.assign(account, { scanned_at: now, updated_at: now });
	account.availability = { user_forms: null, user_uploads: null, ...object(account.availability), ...scanned };
}

const wordsOf = (code: string) => ({ error_code: code, error_message: `The fake Argyle says: ${code}.` });

/** A user logs in at the employer's payroll system: records and events come as after a real connection. */
export async function connectAccount(argyle: FakeArgyle, user: string): Promise<string> {
	const account = await addAccount(argyle, user);
	const owner = ownerOf(account);
	argyle.records.addSeed(owner, (name) => !['reports', 'user-uploads', 'verifications'].includes(name));
	await restoreConnection(argyle, account.id);
	noteScan(argyle, account, [...SCANNED, ...OTHER_DATA_SETS]);
	account.ongoing_refresh = { status: 'enabled' };
	const record = argyle.users.get(user);
	const connected = { items_connected: ['item_000001422'], employers_connected: ['Whole Goods'] };
	if (record !== undefined) Object.assign(record, connected);
	const { external_metadata = {}, external_id = null, created_at = null }: Json = record ?? {};
	const isSynced = (each: StoredRecord) => each.user === user && isJson(object(each.availability).gigs);
	const synced = [...argyle.records.of('accounts').values()].filter(isSynced).map(({ id }) => id);
	const accounts_connected = argyle.assumed.accountsOfSync === 'all that are synced' ? synced : [account.id];
	const resource = {
		...{ id: user, accounts_connected, ...connected },
		...{ external_metadata, external_id, created_at },
	};
	await argyle.deliver('identities.added', { ...owner });
	await argyle.deliver('users.fully_synced', { user, resource });
	await argyle.deliver('reports.ready', { user, accounts: [account.id] });
	return account.id;
}

/** A login is refused. Returns the account, which Argyle keeps. */
export async function failAccount(argyle: FakeArgyle, user: string): Promise<string> {
	const error = wordsOf('invalid_credentials');
	const account = await addAccount(argyle, user);
	setStatus(argyle, account, 'connection', 'error', error);
	await argyle.deliver('accounts.failed', { ...ownerOf(account), ...error });
	return account.id;
}

/** A connection that was there breaks, of which no event of its own is known. */
export async function loseConnection(argyle: FakeArgyle, id: string): Promise<void> {
	const error = wordsOf('auth_required');
	const account = accountOf(argyle.records, id);
	setStatus(argyle, account, 'connection', 'error', error);
	await argyle.deliver('accounts.updated', { ...ownerOf(account) });
	if (argyle.assumed.eventOfLostConnection === 'accounts.failed too')
		await argyle.deliver('accounts.failed', { ...ownerOf(account), ...error });
}

/** The login is accepted, for the first time or again. */
async function restoreConnection(argyle: FakeArgyle, id: string): Promise<void> {
	const account = accountOf(argyle.records, id);
	setStatus(argyle, account, 'connection', 'connected');
	await argyle.deliver('accounts.connected', { ...ownerOf(account) });
}
