import { isJson } from '../support/json.mts';
import { FormList, type Form } from './formList.mts';
import type { Quirks } from './quirks.mts';
import type { Random } from './random.mts';
import { type ListWays, RecordList } from './recordList.mts';
import { SentTimes, type WitnessKind } from './sentTimes.mts';
import type { Timeline } from './timeline.mts';

export type Json = Record<string, unknown>;

/** A request as n8n's helper is given it. */
export interface ApiCall {
	method: string;
	url: string;
	query: Json;
	body: unknown;
	keyId: string;
	keySecret: string;
}

export interface ApiReply {
	statusCode: number;
	headers: Json;
	body: Buffer;
}

export interface Subscription extends Json {
	id: string;
	url: string;
	events: string[];
	secret: string | null;
	config: Json;
	/** Milliseconds since 1970: from when on the list shows it. */
	listedAt: number;
}

/** An account of Argyle's with everything in it. */
export interface Tenant {
	name: string;
	/** The secrets by the ID of their key. */
	keys: Map<string, string>;
	subscriptions: Map<string, Subscription>;
	forms: FormList;
	records: Record<RecordKind, RecordList>;
}

type RecordKind = 'accounts' | 'user-uploads' | 'verifications' | 'reports';

/** What worlds draw of the service. */
export interface ServiceWays {
	/** How long it takes to answer. */
	latencyMs: number;
	order: FormList['order'];
	pageSize: number;
	/** Of other lists than that of forms. */
	lists: ListWays;
	witness: WitnessKind;
	quirks: Quirks;
}

/** How the service fails. `lost` does what it is asked, and its answer does not arrive. */
export type Outage = '500' | '503' | '429' | 'silent' | 'lost' | 'unreachable' | 'slow';

/** A request as the world remembers it. */
interface SeenRequest {
	at: number;
	call: string;
	/** Whether it was answered as it should be. */
	isServed: boolean;
}

const isRecordKind = (collection: string): collection is RecordKind =>
	['accounts', 'user-uploads', 'verifications', 'reports'].includes(collection);

function isFilteredBy(record: Json, { user, account, status_state: state }: Json): boolean {
	const { state: own }: Json = Object(record.status);
	return (
		(user === undefined || record.user === user) &&
		(account === undefined || record.account === account) &&
		(state === undefined || String(state).split(',').includes(String(own)))
	);
}

const LIST_OF_FORMS = 'GET /v2/user-forms';

/** Somebody else's, in the same account. */
const foreignSubscription = (index: number) => ({
	...{ id: `0f0f0f0f-0000-4000-8000-${String(index).padStart(12, '0')}`, name: 'Other', secret: null },
	...{ url: `https://other.example.com/${index}`, events: ['*'], config: {}, last_sent_at: '2026-11-22T10:00:00.000Z' },
	...{ created_at: '2026-10-01T10:00:00.000Z', updated_at: '2026-11-22T10:01:00.000Z' },
});

/** Argyle as the facts say (docs/fidelity.md), in memory. */
export class Argyle {
	readonly tenants = new Map<string, Tenant>();

	readonly requests: SeenRequest[] = [];

	outage: Outage | undefined;

	/** Of the accounts of these forms, none is found any more. */
	readonly goneAccounts = new Set<string>();

	readonly timeline: Timeline;

	readonly sentTimes: SentTimes;

	private readonly random: Random;

	private readonly latencyMs: number;

	private readonly quirks: Quirks;

	/** Until when the list shows those that were deleted. */
	private deleted: Array<{ tenant: Tenant; subscription: Subscription; until: number }> = [];

	constructor(timeline: Timeline, random: Random, ways: ServiceWays) {
		const { latencyMs, order, pageSize, lists, witness, quirks } = ways;
		this.quirks = quirks;
		this.timeline = timeline;
		this.random = random;
		this.latencyMs = latencyMs;
		this.sentTimes = new SentTimes(timeline, witness);
		const list = () => new RecordList(timeline, random, lists);
		for (const name of ['A', 'B']) {
			const keys = new Map([[`key-${name}`, `secret of ${name}`]]);
			const forms = new FormList(timeline, random, order, pageSize, quirks);
			const records = { accounts: list(), 'user-uploads': list(), verifications: list(), reports: list() };
			this.tenants.set(name, { name, keys, subscriptions: new Map(), forms, records });
		}
	}

	tenant(name: string): Tenant {
		const tenant = this.tenants.get(name);
		if (tenant === undefined) throw new Error(`no account ${name}`);
		return tenant;
	}

	/** Answers after a while, or never; rejects as n8n's helper does when no answer comes in time. */
	async answer(call: ApiCall, timeoutMs: number, pause: (ms: number) => Promise<void>): Promise<ApiReply> {
		const { pathname } = new URL(call.url);
		const { now } = this.timeline;
		const seen = { at: now, call: `${call.method} ${pathname}${call.query.cursor ? '?cursor' : ''}`, isServed: false };
		this.requests.push(seen);
		const noAnswer = async (code: string, ms: number) => {
			await pause(ms);
			throw Object.assign(new Error(code), { code });
		};
		const { outage } = this;
		if (outage === 'unreachable') await noAnswer('ECONNREFUSED', 5);
		await pause(this.random.mostlyShort(20, outage === 'slow' ? 5_000 : this.latencyMs));
		if (outage === 'silent') await noAnswer('ECONNABORTED', timeoutMs);
		if (outage === '500' || outage === '503') return this.reply(Number(outage), { detail: 'Away.' });
		if (outage === '429') return this.reply(429, { detail: 'Too many.' }, { 'retry-after': this.quirks.retryAfter });
		const reply = this.serve(call, pathname);
		if (outage === 'lost') await noAnswer(this.random.chance(0.5) ? 'ECONNRESET' : 'ECONNABORTED', timeoutMs);
		await pause(this.random.mostlyShort(5, 50));
		seen.isServed = reply.statusCode < 300;
		return reply;
	}

	private reply(statusCode: number, body: unknown, headers: Json = {}): ApiReply {
		const date = new Date(this.timeline.now + this.quirks.dateAheadMs).toUTCString();
		return {
			statusCode,
			headers: { date, ...headers },
			body: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)),
		};
	}

	private serve(call: ApiCall, pathname: string): ApiReply {
		const tenant = [...this.tenants.values()].find(({ keys }) => keys.get(call.keyId) === call.keySecret);
		if (tenant === undefined) return this.reply(401, { detail: 'Invalid credentials.' });
		const [, , collection = '', id] = pathname.split('/');
		if (collection === 'webhooks') return this.serveWebhooks(tenant, call, id);
		if (collection === 'user-forms') return this.serveForms(tenant, call, id);
		const known = this.serveRecords(tenant, call, collection, id);
		if (known !== undefined) return known;
		if (collection === 'accounts' && id !== undefined) {
			const form = tenant.forms.all.find(({ account }) => account === id);
			if (form === undefined || this.goneAccounts.has(id)) return this.reply(404, { detail: 'Not found.' });
			return this.reply(200, { id, user: form.user });
		}
		return this.reply(404, { detail: 'Not found.' });
	}

	/** Undefined for what is no list of records, and for the account of a form. */
	private serveRecords(
		{ records }: Tenant,
		{ url, query }: ApiCall,
		collection: string,
		id: string | undefined,
	): ApiReply | undefined {
		if (!isRecordKind(collection)) return undefined;
		const list = records[collection];
		if (id === undefined)
			return this.reply(
				200,
				list.page(url, query, (record) => isFilteredBy(record, query)),
			);
		const found = list.find(id);
		return found === undefined ? undefined : this.reply(200, found);
	}

	private serveForms({ forms }: Tenant, { url, query }: ApiCall, id: string | undefined): ApiReply {
		if (id === undefined) return this.reply(200, forms.page(url, query));
		const form = forms.listed().find((listed) => listed.id === id);
		return form === undefined ? this.reply(404, { detail: 'Not found.' }) : this.reply(200, forms.recordOf(form));
	}

	private serveWebhooks(tenant: Tenant, { method, url, query, body }: ApiCall, id: string | undefined): ApiReply {
		const { subscriptions } = tenant;
		const { listedMs, deletedTwice, createdStatus } = this.quirks;
		if (id !== undefined) {
			const found = subscriptions.get(id);
			if (found === undefined && method === 'DELETE' && deletedTwice === 204) return this.reply(204, '');
			if (found === undefined) return this.reply(404, { detail: 'Not found.' });
			if (method !== 'DELETE') return this.reply(200, this.shown(found));
			subscriptions.delete(id);
			this.deleted.push({ tenant, subscription: found, until: this.timeline.now + listedMs });
			return this.reply(204, '');
		}
		if (method === 'GET') return this.reply(200, this.listWebhooks(tenant, url, query));
		if (!isJson(body)) return this.reply(400, { detail: 'JSON parse error.' });
		const { now } = this.timeline;
		const time = new Date(now).toISOString();
		const created: Subscription = {
			id: this.random.uuid(),
			created_at: time,
			updated_at: time,
			last_sent_at: null,
			name: body.name,
			url: String(body.url),
			events: Array.isArray(body.events) ? body.events.map(String) : [],
			config: isJson(body.config) ? body.config : {},
			secret: typeof body.secret === 'string' ? body.secret : null,
			listedAt: now + listedMs,
		};
		subscriptions.set(created.id, created);
		return this.reply(createdStatus, { ...this.shown(created), last_sent_at: null });
	}

	/** A page: the newest first, then those of others. */
	private listWebhooks(tenant: Tenant, url: string, { limit, cursor }: Json): object {
		const { now } = this.timeline;
		this.deleted = this.deleted.filter(({ until }) => until > now);
		const gone = this.deleted.filter((one) => one.tenant === tenant).map(({ subscription }) => subscription);
		const own = [...tenant.subscriptions.values(), ...gone].filter(({ listedAt }) => listedAt <= now);
		const others = Array.from({ length: this.quirks.foreign }, (_, index) => foreignSubscription(index));
		const all = [...own.map((subscription) => this.shown(subscription)).reverse(), ...others];
		const place = Number(cursor ?? 0);
		const end = place + Number(limit ?? 10);
		const { origin, pathname } = new URL(url);
		const next = end < all.length ? `${origin}${pathname}?cursor=${end}&limit=${String(limit)}` : null;
		return { next, results: all.slice(place, end) };
	}

	private shown({ listedAt: _, ...subscription }: Subscription): Json {
		const { showsSecrets, unsetConfig } = this.quirks;
		return {
			...subscription,
			config: Object.keys(subscription.config).length === 0 ? unsetConfig : subscription.config,
			secret: showsSecrets || subscription.secret === null ? subscription.secret : '***',
			last_sent_at: this.sentTimes.shown(subscription.id),
		};
	}

	/** How many times the list of forms was begun, and subscriptions were changed, between two times. */
	requestsBetween(from: number, to: number): { looks: number; changes: number; all: number } {
		const calls = this.requests.filter(({ at }) => at >= from && at < to).map(({ call }) => call);
		const isChange = (call: string) => /^(POST|DELETE) \/v2\/webhooks/.test(call);
		return {
			looks: calls.filter((call) => call === LIST_OF_FORMS).length,
			changes: calls.filter(isChange).length,
			all: calls.length,
		};
	}

	submit(tenant: string, form: Form): void {
		this.tenant(tenant).forms.submit(form);
	}
}
