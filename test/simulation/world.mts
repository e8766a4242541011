import { Argyle } from './argyle.mts';
import type { Credential } from './contexts.mts';
import type { Version } from './database.mts';
import type { Form, Order } from './formList.mts';
import { type Climate, HISTORY_MS, makeHistory, type Step } from './history.mts';
import { N8n, type Ways } from './n8n.mts';
import { Random } from './random.mts';
import { Sender } from './sender.mts';
import { Timeline } from './timeline.mts';
import { makeClimate, makeWays, type Mode } from './variety.mts';
import { Wishes } from './wishes.mts';

export type { Mode };

const MINUTE = 60_000;
const BEGIN = Date.UTC(2026, 10, 23);

/** After the last incident everything is mended; then this long until the calm, and this long it lasts. */
const MENDING_MS = 45 * MINUTE;
const CALM_MS = 120 * MINUTE;

/** An n8n, and what its person wanted of it. */
interface Installation {
	n8n: N8n;
	wishes: Wishes;
}

/** A time in which something is away. */
type Trouble = [from: number, to: number];

/** Half a day of one workflow with an Argyle Trigger, from a seed, and what came of it. */
export class World {
	readonly timeline = new Timeline(BEGIN);

	readonly argyle: Argyle;

	readonly installations: Installation[] = [];

	readonly troubles: Trouble[] = [];

	/** When forms came to the node behind the trigger. */
	readonly starts: Array<{ form: string; at: number }> = [];

	readonly failures: Array<{ message: string; at: number }> = [];

	readonly history: Step[];

	readonly calm: { from: number; to: number };

	readonly ways: Ways;

	/** What the person has in the editor. */
	private draft: Version;

	private readonly credentials = new Map<string, Credential>();

	private readonly random: Random;

	private readonly climate: Climate;

	private isNetworkDown = false;

	private readonly sender: Sender;

	constructor(seed: number, mode: Mode, history?: Step[]) {
		const random = new Random(seed);
		this.ways = makeWays(random, mode);
		this.climate = makeClimate(random);
		const order = random.pick<Order>(['newest first', 'newest first', 'nearly newest first', 'overlapping', 'shuffled']);
		const latencyMs = random.pick([200, 200, 3_000]);
		const pageSize = random.pick([200, 200, 10]);
		this.draft = {
			trigger: 'on',
			receiveBy: random.pick(['webhook', 'webhook', 'polling']),
			hasForms: true,
			catchUp: true,
			tenant: 'A',
			revision: 0,
			otherRevision: 0,
		};
		const aheadMs = random.chance(0.3) ? random.between(-4, 4) * MINUTE : random.between(-2_000, 2_000);
		this.history = history ?? makeHistory(random, mode === 'queue', this.climate);
		// What is drawn from here on does not depend on how long the history is.
		this.random = new Random(seed ^ 0x5eed);
		this.argyle = new Argyle(this.timeline, this.random, latencyMs, order, pageSize);
		this.sender = new Sender(this.timeline, this.random, (url) => {
			const receiver = this.installations.find(({ n8n }) => n8n.surroundings.url === url)?.n8n;
			if (receiver === undefined || this.isNetworkDown) return undefined;
			return async (body, headers) => await receiver.deliveries.call(body, headers);
		});
		this.correctKeys();
		const lastTrouble = Math.max(0, ...this.history.map((step) => step.at + ('forMs' in step ? step.forMs : 0)));
		const from = BEGIN + Math.max(HISTORY_MS, lastTrouble) + MENDING_MS;
		this.calm = { from, to: from + CALM_MS };
		this.install(aheadMs);
	}

	/** Where the workflow is now. */
	get current(): Installation {
		return this.installations[this.installations.length - 1];
	}

	async run(): Promise<void> {
		const { timeline } = this;
		this.current.n8n.startAll();
		for (const step of this.history) timeline.after(step.at, () => this.perform(step));
		const mendAt = this.calm.from - MENDING_MS - BEGIN;
		timeline.after(mendAt, () => this.mend());
		const form = { tenant: 'A', lateMs: 0, disorderMs: 0, aheadMs: 0 };
		for (const after of [20, 40])
			timeline.after(mendAt + after * MINUTE, () =>
				this.submit({ ...form, tenant: this.draft.tenant, isGone: this.climate.hasGoneAccounts }),
			);
		await timeline.runUntil(this.calm.to);
		for (const { n8n } of this.installations) n8n.stopAll();
	}

	private install(aheadMs: number): void {
		const { timeline } = this;
		const wishes = new Wishes();
		const host = `n8n-${this.installations.length + 1}.example.com`;
		const n8n = new N8n(
			timeline,
			this.random,
			this.ways,
			{
				onStart: (form) => this.starts.push({ form, at: timeline.now }),
				onFailure: (message) => this.failures.push({ message, at: timeline.now }),
				onPublishing: (version) => wishes.begin(timeline.now, version),
				onPublished: (version, isDone) => wishes.end(timeline.now, version, isDone),
			},
			{ argyle: this.argyle, credentials: this.credentials, host },
		);
		n8n.clockOffsetMs = aheadMs;
		this.installations.push({ n8n, wishes });
	}

	private during(ms: number, begin: () => void, end: () => void): void {
		this.troubles.push([this.timeline.now, this.timeline.now + ms]);
		begin();
		this.timeline.after(ms, end);
	}

	private perform(step: Step): void {
		const { n8n } = this.current;
		const { argyle } = this;
		if (step.does === 'submit') this.submit(step);
		else if (step.does === 'kill' || step.does === 'stop') {
			const { role, place, downMs } = step;
			this.during(downMs + 30_000, () => n8n[step.does === 'kill' ? 'kill' : 'stop'](role, place), () => {});
			this.timeline.after(downMs + (step.does === 'stop' ? 21_000 : 0), () => n8n.start(role, place));
		} else if (step.does === 'publish') this.publish(step.set);
		else if (step.does === 'unpublish') n8n.publication.request(undefined);
		else if (step.does === 'test') void n8n.publication.test(this.draft);
		else if (step.does === 'stop an execution') n8n.executions.stopOne();
		else if (step.does === 'set the clock') n8n.clockOffsetMs = step.aheadMs;
		else if (step.does === 'delete the subscription')
			for (const { subscriptions } of argyle.tenants.values()) subscriptions.clear();
		else if (step.does === 'move to another n8n') this.move();
		else if (step.does === 'Argyle fails')
			this.during(step.forMs, () => (argyle.outage = step.how), () => (argyle.outage = undefined));
		else if (step.does === 'the database is locked')
			this.during(step.forMs, () => (n8n.database.isLocked = true), () => (n8n.database.isLocked = false));
		else if (step.does === 'deliveries are lost')
			this.during(step.forMs, () => (this.isNetworkDown = true), () => (this.isNetworkDown = false));
		else if ('forMs' in step) this.changeKey(step.does === 'another key', step.forMs);
	}

	private publish(set: Partial<Version>): void {
		this.draft = { ...this.draft, ...set };
		this.current.n8n.publication.request(this.draft);
	}

	private submit(step: Pick<Step & { does: 'submit' }, 'tenant' | 'lateMs' | 'disorderMs' | 'isGone' | 'aheadMs'>): void {
		const { now } = this.timeline;
		const form: Form = {
			id: this.random.uuid(),
			account: this.random.uuid(),
			user: this.random.uuid(),
			tenant: step.tenant,
			createdAt: Math.floor(now + step.aheadMs),
			submittedAt: now,
			listedAt: now + step.lateMs,
			disorderMs: step.disorderMs,
		};
		if (step.isGone) this.argyle.goneAccounts.add(form.account);
		this.argyle.submit(step.tenant, form);
		for (const subscription of this.argyle.tenant(step.tenant).subscriptions.values())
			void this.sender.deliver(subscription, form);
	}

	private correctKeys(): void {
		for (const { name, keys } of this.argyle.tenants.values())
			for (const [keyId, keySecret] of keys) this.credentials.set(name, { keyId, keySecret });
	}

	/** The person mistypes the key, or revokes it at Argyle and puts the new one into the credential some time later. */
	private changeKey(isOther: boolean, ms: number): void {
		const { keys, name } = this.argyle.tenant(this.draft.tenant);
		const [[keyId, keySecret] = ['', '']] = keys;
		const known = this.credentials.get(name);
		if (!isOther) {
			const mistype = () => this.credentials.set(name, { keyId, keySecret: `${keySecret}x` });
			this.during(ms, mistype, () => known && this.credentials.set(name, known));
			return;
		}
		const other = { keyId: `${keyId}'`, keySecret: `other ${keySecret}` };
		keys.clear();
		keys.set(other.keyId, other.keySecret);
		this.during(ms, () => {}, () => this.credentials.set(name, other));
	}

	/** Exported, unpublished and stopped here; imported, published and started there. */
	private move(): void {
		const { n8n } = this.current;
		const { published } = n8n.database;
		if (published === undefined || n8n.main?.isReady !== true) return;
		const exported = JSON.stringify(n8n.database.staticData);
		n8n.publication.request(undefined);
		this.during(12 * MINUTE, () => {}, () => {
			n8n.stopAll();
			this.install(n8n.clockOffsetMs);
			const { n8n: other, wishes } = this.current;
			other.database.staticData = JSON.parse(exported);
			other.database.published = published;
			wishes.begin(this.timeline.now, published);
			other.startAll();
			this.untilLook(() => wishes.end(this.timeline.now, published, true));
		});
	}

	/** n8n tells nobody when a workflow that was published from the command line begins: its first look does. */
	private untilLook(then: () => void): void {
		const { requests, outage } = this.argyle;
		const seen = requests.length;
		const wait = () => {
			const hasLooked = requests.slice(seen).some(({ call }) => call === 'GET /v2/user-forms');
			if (hasLooked && outage === undefined && this.argyle.outage === undefined) this.timeline.after(10_000, then);
			else this.timeline.after(5_000, wait);
		};
		wait();
	}

	/** All faults are over, and the person publishes again what could not be published. */
	private mend(): void {
		const { n8n } = this.current;
		this.argyle.outage = undefined;
		n8n.database.isLocked = this.isNetworkDown = false;
		n8n.startAll();
		this.correctKeys();
		this.timeline.after(MINUTE, () => {
			if (n8n.publication.hasFailed) this.publish({ revision: this.draft.revision + 1 });
		});
	}
}
