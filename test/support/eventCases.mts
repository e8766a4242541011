import { randomUUID } from 'node:crypto';
import { EVENT_NAMES } from './fakeArgyle/eventNames.mts';
import type { RecordTypeName } from './fakeArgyle/recordTypes.mts';
import type { FakeArgyle, Owner, StoredRecord } from './fakeArgyle/index.mts';

/**
 * An event and the records that it speaks of, among others of its user and account. Made from what is known of Argyle's
 * events alone, so that a mistake in the node's own table is noticed.
 */
interface EventCase {
	data: Record<string, unknown>;
	/** What Get Records brings, as docs/events.md tells it. */
	brings: string;
	records: StoredRecord[];
	/** Part of the description of the error with which the node says that there are no records. */
	says?: string;
}

type MakeCase = (argyle: FakeArgyle, owner: Owner, change: string) => EventCase;

/** The second of three, so that neither the first nor the last of a list will do. */
const byId =
	(name: RecordTypeName, field: string): MakeCase =>
	(argyle, owner) => {
		const [, record] = argyle.addRecords(name, 3, { ...owner });
		if (record === undefined) throw new Error(`The fake Argyle added no ${name}`);
		return { data: { ...owner, [field]: record.id }, brings: `the ${field.replace('_', ' ')}`, records: [record] };
	};

const account: MakeCase = (argyle, owner) => {
	argyle.addRecords('accounts', 2, { ...owner });
	argyle.records.addAccount(owner);
	const records = [...argyle.accounts.values()].filter(({ id }) => id === owner.account);
	return { data: { ...owner }, brings: 'the account', records };
};

const nothing = (data: Record<string, unknown>, says: string): EventCase => ({
	data,
	brings: 'nothing',
	records: [],
	says,
});

/** Paystubs and the like, whose events have a count and a range of their dates instead of an ID. */
const dataSet =
	(name: 'gigs' | 'paystubs' | 'shifts', date: string): MakeCase =>
	(argyle, owner, change) => {
		const all = argyle.addRecords(name, 6, { ...owner });
		const pick = (...indexes: number[]) => all.filter((_, index) => indexes.includes(index));
		const range = (of: string, records: StoredRecord[]) => ({
			[`${of}_count`]: records.length,
			[`${of}_from`]: records.at(-1)?.[date],
			[`${of}_to`]: records[0]?.[date],
		});
		const ids = (records: StoredRecord[]) => records.map(({ id }) => id);
		switch (change) {
			case 'added': {
				const records = pick(1, 3);
				for (const record of records) record.created_at = '2026-11-20T00:00:00.000Z';
				// It is in the range, and was changed at last, but is old.
				for (const record of pick(2)) record.updated_at = '2026-11-21T00:00:00.000Z';
				const data = { ...owner, ...range('added', records), ...range('available', all) };
				return { data, brings: `the ${name} that were added`, records };
			}
			case 'updated': {
				const records = pick(1, 4);
				const changed = { [`updated_${name}`]: ids(records), ...range('updated', records) };
				const data = { ...owner, ...changed, ...range('available', all) };
				return { data, brings: `the ${name} that were updated`, records };
			}
			case 'partially_synced': {
				const records = pick(1, 2, 3);
				const data = { ...owner, ...range('available', records), days_synced: 30 };
				return { data, brings: `the ${name} of the last days`, records };
			}
			case 'fully_synced': {
				// The newest came after the event.
				const records = pick(1, 2, 3, 4, 5);
				const data = { ...owner, ...range('available', records) };
				return { data, brings: `all ${name} that were fetched`, records };
			}
			default: {
				const removed = { [`removed_${name}`]: ids(all), ...range('removed', all) };
				return nothing({ ...owner, ...removed }, 'something was removed at Argyle, so there is nothing to get');
			}
		}
	};

const reportsReady: MakeCase = (argyle, { user }) => {
	const accounts = argyle.addRecords('accounts', 3, { user });
	const records = accounts.slice(0, 2);
	const named = records.map(({ id }) => ({ id, last_synced_at: '2026-11-20T00:00:00Z' }));
	const resource = { user, external_id: null, accounts: named, documents: [] };
	return { data: { user, resource }, brings: 'the accounts of which a report can be made', records };
};

/** Only these two fields are documented. */
const reportGenerated: MakeCase = (argyle, owner) => {
	const add = (day: number, type: string, status: string) =>
		argyle.addRecords('reports', 1, { ...owner, type, status, created_at: `2026-11-0${day}T00:00:00Z` });
	add(1, 'voe', 'generated');
	const records = add(2, 'voe', 'generated');
	add(3, 'voe', 'generating');
	add(4, 'voie', 'generated');
	return { data: { user: owner.user, type: 'voe' }, brings: "the user's newest report of its type", records };
};

const form: MakeCase = (argyle, owner) => {
	argyle.storeForm(owner);
	const { form: submitted } = argyle.storeForm(owner);
	return { data: { ...owner, user_form: submitted.id }, brings: 'the user form', records: [submitted] };
};

const user: MakeCase = ({ users }) => {
	const records = [...users.values()].slice(1, 2);
	const [id] = records.map((synced) => synced.id);
	return { data: { user: id, resource: { id, accounts_connected: [] } }, brings: 'the user', records };
};

const item: MakeCase = ({ items }, _owner, change) => {
	const records = [...items.values()].filter((_, index) => (change === 'removed' ? index === 0 : index === 1));
	return { data: { item: records[0]?.id, name: records[0]?.name }, brings: 'the Item', records };
};

/** By the event, or by what is before its dot. */
const CASES: Record<string, MakeCase> = {
	accounts: account,
	deposit_destinations: byId('deposit-destinations', 'deposit_destination'),
	'direct_deposit_switches.completed': byId('deposit-destinations', 'deposit_destination'),
	'direct_deposit_switches.failed': account,
	gigs: dataSet('gigs', 'start_datetime'),
	identities: byId('identities', 'identity'),
	items: item,
	payroll_documents: byId('payroll-documents', 'payroll_document'),
	paystubs: dataSet('paystubs', 'paystub_date'),
	ratings: byId('ratings', 'rating'),
	'reports.generated': reportGenerated,
	'reports.ready': reportsReady,
	shifts: dataSet('shifts', 'start_datetime'),
	user_forms: form,
	user_uploads: byId('user-uploads', 'user_upload'),
	users: user,
	vehicles: byId('vehicles', 'vehicle'),
	verifications: byId('verifications', 'verification'),
	'verifications.creation_failed': (_argyle, owner) =>
		nothing({ user: owner.user, context: { loan: { number: '1234' } } }, 'a verification could not be made'),
};

/** An event of this account; what it speaks of is stored in the fake Argyle. */
export function eventCase(argyle: FakeArgyle, event: string, owner: Owner): EventCase {
	const [subject = '', change = ''] = event.split('.');
	const make = CASES[event] ?? CASES[subject];
	if (make === undefined) throw new Error(`There is no case for ${event}`);
	const made = make(argyle, owner, change);
	// The records are still there, so that a node that asks for them is noticed.
	return change === 'removed' ? nothing(made.data, 'something was removed') : made;
}

/** Each of the 51 events, with an account of its own; what they speak of is stored in the fake Argyle. */
export function eventCases(argyle: FakeArgyle): Map<string, EventCase> {
	const newOwner = () => ({ user: randomUUID(), account: randomUUID() });
	return new Map([...EVENT_NAMES].map((event) => [event, eventCase(argyle, event, newOwner())]));
}
