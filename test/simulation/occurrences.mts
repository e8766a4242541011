import { isJson } from '../support/json.mts';
import type { Argyle, Tenant } from './argyle.mts';
import type { Quirks } from './quirks.mts';
import type { Random } from './random.mts';
import { type Json, type StoredRecord, written } from './recordList.mts';
import type { Timeline } from './timeline.mts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * The events beside forms that a trigger may have chosen, and how it finds them again where none is delivered: at each
 * look, or only when all accounts are scanned, unless they have changed again until then.
 */
export const FOUND_BY = {
	'accounts.added': 'list',
	'user_uploads.added': 'list',
	'verifications.updated': 'list',
	'reports.generated': 'list',
	'accounts.connected': 'scan',
	'accounts.failed': 'scan',
	'users.fully_synced': 'scan',
	'paystubs.added': 'nothing',
	'accounts.connection_lost': 'scan',
} as const;

export type OtherEvent = keyof typeof FOUND_BY;

export const isOtherEvent = (name: unknown): name is OtherEvent =>
	typeof name === 'string' && Object.hasOwn(FOUND_BY, name);

export const OTHER_EVENTS = Object.keys(FOUND_BY).filter(isOtherEvent);

/** What happens at Argyle beside forms. Its times are from its beginning on. */
export type Happening =
	| { what: 'account'; fails: boolean; loginMs: number; syncMs: number; lostMs?: number; restoredMs?: number }
	| { what: 'upload' }
	| { what: 'paystubs' }
	| { what: 'refresh' }
	| { what: 'verification'; moves: Array<[state: string, afterMs: number]> }
	| { what: 'report'; afterMs: number; fails: boolean };

/** An event that a trigger may want, from the side of whoever knows everything. */
export interface Occurrence {
	event: OtherEvent;
	/** The ID of the record that it is about. */
	record: string;
	tenant: string;
	submittedAt: number;
	/** When a report was asked for, of which no time of its end is told, or when the account was added. */
	requestedAt: number;
	/** Whether a list shows it. Of a verification only its end is found again. */
	isListed: boolean;
	/** From when on the service shows it. */
	listedAt: number;
}

/** An event and the record that goes along with it where the subscription asks for it. */
export interface Message {
	event: string;
	data: Json;
	resource?: unknown;
	/** Which event of the trigger's own it is. */
	key?: string;
}

/** Draws what happens, at one time. */
export function drawHappening(random: Random): Happening {
	const choices: Array<() => Happening> = [
		() => ({
			...{ what: 'account', fails: random.chance(0.3), loginMs: random.mostlyShort(0, 3 * MINUTE) },
			syncMs: random.mostlyShort(2 * SECOND, 20 * MINUTE),
			...(random.chance(0.4) ? { lostMs: random.between(25 * MINUTE, 240 * MINUTE) } : {}),
			...(random.chance(0.5) ? { restoredMs: random.between(5 * MINUTE, 120 * MINUTE) } : {}),
		}),
		() => ({ what: 'upload' }),
		() => ({ what: 'paystubs' }),
		() => {
			const step = () => random.mostlyShort(SECOND, 60 * MINUTE);
			const paused: Array<[string, number]> = random.chance(0.4) ? [['PAUSED', step()]] : [];
			const end = paused.length > 0 && random.chance(0.5) ? 'CANCELLED' : 'COMPLETED';
			const going: Array<[string, number]> = end === 'CANCELLED' ? [] : [['PROCESSING', step()]];
			return { what: 'verification', moves: [...paused, ...going, [end, step()]] };
		},
		() => ({ what: 'report', afterMs: random.mostlyShort(SECOND, 20 * MINUTE), fails: random.chance(0.2) }),
		() => ({ what: 'refresh' }),
	];
	return choices[random.whole(0, choices.length - 1)]?.() ?? { what: 'upload' };
}

/** Lets things happen at Argyle, and remembers which events they are. */
export class Happenings {
	readonly occurrences: Occurrence[] = [];

	private readonly argyle: Argyle;

	private readonly timeline: Timeline;

	private readonly random: Random;

	private readonly send: (tenant: string, message: Message) => void;

	/** Up to then everything has to have happened. */
	private readonly endAt: number;

	private readonly quirks: Quirks;

	constructor(
		argyle: Argyle,
		random: Random,
		endAt: number,
		quirks: Quirks,
		send: (tenant: string, message: Message) => void,
	) {
		this.quirks = quirks;
		this.argyle = argyle;
		this.timeline = argyle.timeline;
		this.random = random;
		this.endAt = endAt;
		this.send = send;
	}

	begin(name: string, happening: Happening, lateMs: number): void {
		const tenant = this.argyle.tenant(name);
		if (happening.what === 'account') this.addAccount(tenant, happening, lateMs);
		else if (happening.what === 'upload') this.addUpload(tenant, lateMs);
		else if (happening.what === 'paystubs') this.addPaystubs(tenant);
		else if (happening.what === 'refresh') this.refresh(tenant);
		else if (happening.what === 'verification') this.order(tenant, happening.moves, lateMs);
		else this.makeReport(tenant, happening, lateMs);
	}

	private later(ms: number, action: () => void): boolean {
		if (this.timeline.now + ms > this.endAt) return false;
		this.timeline.after(ms, action);
		return true;
	}

	private note(tenant: Tenant, event: OtherEvent, record: StoredRecord, data: Json, isListed = true): void {
		this.noteUnsent(tenant, event, record, data, isListed);
		this.send(tenant.name, { event, data, resource: written(record, 6) });
	}

	/** Argyle says nothing of it. */
	private noteUnsent(tenant: Tenant, event: OtherEvent, record: StoredRecord, data: Json, isListed = true): void {
		const { now } = this.timeline;
		const listedAt = Math.max(now, record.listedAt);
		const isSlow = event === 'reports.generated' || event === 'users.fully_synced';
		const times = { submittedAt: now, requestedAt: isSlow ? record.createdAt : now, listedAt };
		this.occurrences.push({ event, record: recordOf(event, data), tenant: tenant.name, ...times, isListed });
	}

	private addAccount(tenant: Tenant, happening: Happening & { what: 'account' }, lateMs: number): void {
		const now = Math.floor(this.timeline.now);
		const user = this.userOfAccount(tenant);
		const status = (name: string) => ({ status: name, error_code: null, error_message: null, updatedAt: now });
		const fields = {
			...{ user, employers: ['Whole Goods'], item: 'item_000001422', source: 'payrollcorp', scannedAt: 0 },
			...{ connection: status('connecting'), direct_deposit_switch: status('idle') },
			...{ availability: { user_forms: null }, ongoing_refresh: { status: 'idle' } },
		};
		const account = tenant.records.accounts.add(fields, now, lateMs);
		const data = { account: account.id, user };
		this.note(tenant, 'accounts.added', account, data);
		const { loginMs, fails, syncMs, lostMs, restoredMs } = happening;
		this.later(loginMs, () => {
			if (fails) {
				const error = { error_code: 'invalid_credentials', error_message: 'Wrong.' };
				this.connect(account, 'error', error.error_code);
				this.note(tenant, 'accounts.failed', account, { ...data, ...error });
				this.update(tenant, account);
				return;
			}
			this.connect(account, 'connected');
			this.note(tenant, 'accounts.connected', account, data);
			this.update(tenant, account);
			this.later(syncMs, () => this.sync(tenant, account));
			if (lostMs === undefined) return;
			this.later(syncMs + lostMs, () => {
				this.connect(account, 'error', 'auth_required');
				this.noteUnsent(tenant, 'accounts.connection_lost', account, data);
				const key = keyOf('accounts.connection_lost', account.id);
				this.send(tenant.name, { event: 'accounts.updated', data, resource: written(account, 6), key });
				this.later(restoredMs ?? Infinity, () => {
					this.connect(account, 'connected');
					this.note(tenant, 'accounts.connected', account, data);
				});
			});
		});
	}

	private connect(account: StoredRecord, status: string, code: string | null = null): void {
		const now = Math.floor(this.timeline.now);
		account.connection = { status, error_code: code, error_message: code, updatedAt: now };
		account.updatedAt = now;
	}

	private sync(tenant: Tenant, account: StoredRecord): void {
		account.ongoing_refresh = { status: 'enabled' };
		this.scan(account, ['gigs', 'shifts', 'paystubs', 'identities', 'payroll_documents']);
		const { id, user } = account;
		// Its own resource is always there.
		const isSynced = (each: StoredRecord) => each.user === user && 'gigs' in Object(each.availability);
		const synced = tenant.records.accounts.all.filter(isSynced).map((each) => each.id);
		const data = { user, resource: { id: user, accounts_connected: this.quirks.sameUser > 0 ? synced : [id] } };
		this.noteUnsent(tenant, 'users.fully_synced', account, data);
		this.send(tenant.name, { event: 'users.fully_synced', data });
		this.update(tenant, account);
	}

	/** Argyle looks at an account: times move, whether something is new or not. */
	private scan(account: StoredRecord, dataSets: string[]): void {
		const updatedAt = Math.floor(this.timeline.now);
		const counts = { available_count: 0, available_from: null, available_to: null };
		const state = { status: 'synced', updatedAt, ...counts };
		const scanned = Object.fromEntries(dataSets.map((name) => [name, state]));
		Object.assign(account, { scannedAt: updatedAt, updatedAt });
		account.availability = { ...Object(account.availability), ...scanned };
	}

	/** Of a user who has one, or of another one. */
	private userOfAccount({ records }: Tenant): string {
		const { sameUser } = this.quirks;
		const known = records.accounts.all.filter(({ source }) => source !== 'doc_upload_item');
		const other = sameUser > 0 && this.random.chance(sameUser) ? known.at(-1)?.user : undefined;
		return typeof other === 'string' ? other : this.random.uuid();
	}

	private update(tenant: Tenant, account: StoredRecord): void {
		if (!this.quirks.updatesAccounts) return;
		const data = { account: account.id, user: account.user };
		this.send(tenant.name, { event: 'accounts.updated', data, resource: written(account, 6) });
	}

	private refresh(tenant: Tenant): void {
		for (const account of tenant.records.accounts.all) {
			if (Object(account.ongoing_refresh).status !== 'enabled') continue;
			this.scan(account, ['gigs', 'shifts', 'paystubs']);
			const data = { account: account.id, user: account.user };
			this.send(tenant.name, { event: 'accounts.updated', data, resource: written(account, 6) });
		}
	}

	private addUpload(tenant: Tenant, lateMs: number): void {
		const now = Math.floor(this.timeline.now);
		const owner = { account: this.random.uuid(), user: this.random.uuid() };
		const { account, user } = owner;
		// Such an account is no login, and nothing is known of an event for it.
		const scanned = { user, employers: [], source: 'doc_upload_item', scannedAt: now };
		const states = { connection: { status: 'connected', error_code: null, updatedAt: now }, availability: {} };
		tenant.records.accounts.add(
			{ id: account, ...scanned, ...states, ongoing_refresh: { status: 'idle' } },
			now,
			lateMs,
		);
		const upload = tenant.records['user-uploads'].add({ account, document_type: 'paystubs' }, now, lateMs);
		this.note(tenant, 'user_uploads.added', upload, { ...owner, user_upload: upload.id });
	}

	/** Its data are of an account that is there, or of one that nobody knows. */
	private addPaystubs(tenant: Tenant): void {
		const known = tenant.records.accounts.all;
		const account = known[this.random.whole(0, Math.max(0, known.length - 1))];
		const id = account?.id ?? this.random.uuid();
		const number = this.occurrences.filter(({ event }) => event === 'paystubs.added').length;
		const data = { account: id, user: account?.user ?? id, added_count: number + 1 };
		const record = { id: `${id} ${number + 1}`, createdAt: this.timeline.now, listedAt: Infinity };
		this.note(tenant, 'paystubs.added', record, data);
	}

	private order(tenant: Tenant, moves: Array<[string, number]>, lateMs: number): void {
		const now = Math.floor(this.timeline.now);
		const user = this.random.uuid();
		const state = (name: string) => ({ status: { state: name, code: name.toLowerCase(), errors: [] } });
		const verification = tenant.records.verifications.add({ user, ...state('PENDING') }, now, lateMs);
		const move = ([first, ...rest]: Array<[string, number]>) => {
			if (first === undefined) return;
			const [name, afterMs] = first;
			this.later(afterMs, () => {
				Object.assign(verification, state(name), { updatedAt: Math.floor(this.timeline.now) });
				const data = { user, verification: verification.id };
				if (name === 'CANCELLED') this.noteUnsent(tenant, 'verifications.updated', verification, data);
				else this.note(tenant, 'verifications.updated', verification, data, name === 'COMPLETED');
				move(rest);
			});
		};
		move(moves);
	}

	private makeReport(tenant: Tenant, { afterMs, fails }: Happening & { what: 'report' }, lateMs: number): void {
		const user = this.random.uuid();
		const fields = { user, type: 'voie', status: 'generating', file_url: null };
		const report = tenant.records.reports.add(fields, Math.floor(this.timeline.now), lateMs);
		this.later(afterMs, () => {
			report.status = fails ? 'failed' : 'generated';
			const data = { user, type: 'voie' };
			if (fails) this.noteUnsent(tenant, 'reports.generated', report, data);
			else this.note(tenant, 'reports.generated', report, data);
		});
	}
}

export const dataOf = (item: unknown): Json => (isJson(item) && isJson(item.data) ? item.data : {});

/** Of the form, or of another event with its record. */
export function keyOfItem(item: unknown): string {
	const event = isJson(item) ? item.event : undefined;
	return isOtherEvent(event) ? keyOf(event, recordOf(event, dataOf(item))) : String(dataOf(item).user_form);
}

export const keyOf = (event: OtherEvent, record: string) => `${event} ${record}`;

/** What an event is about, by an ID in its `data`. */
function recordOf(event: OtherEvent, data: Json): string {
	const [family] = event.split('.');
	switch (family) {
		case 'accounts':
			return String(data.account);
		case 'users':
		case 'reports':
			return String(data.user);
		case 'user_uploads':
			return String(data.user_upload);
		case 'verifications':
			return String(data.verification);
		default:
			return `${String(data.account)} ${String(data.added_count)}`;
	}
}
