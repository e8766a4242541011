import { Argyle } from './argyle.mts';
import type { Credential } from './contexts.mts';
import type { Version } from './database.mts';
import type { Form } from './formList.mts';
import type { Step } from './history.mts';
import { type Installation, Mover } from './mover.mts';
import { N8n, type Observer, type Ways } from './n8n.mts';
import { dataOf, type Happening, Happenings, isOtherEvent, keyOfItem, type Message } from './occurrences.mts';
import type { Quirks } from './quirks.mts';
import { Random } from './random.mts';
import { Sender, type Sending } from './sender.mts';
import { Timeline } from './timeline.mts';
import type { Others, Setting } from './variety.mts';
import { WishesOfAll } from './wishes.mts';

const MINUTE = 60_000;
const BEGIN = Date.UTC(2026, 10, 23);

/** After the last incident everything is mended; then this long until the calm. */
const MENDING_MS = 45 * MINUTE;

type Submission = Omit<Step & { does: 'submit' }, 'at' | 'does'>;

/** A time in which something is away. */
type Trouble = [from: number, to: number];

/** Some hours of one workflow with an Argyle Trigger, in virtual time, from one seed. README.md draws it. */
export class World {
	readonly timeline = new Timeline(BEGIN);

	readonly argyle: Argyle;

	readonly installations: Installation[] = [];

	readonly troubles: Trouble[] = [];

	/** When forms came to the node behind the trigger. */
	readonly starts: Array<{ form: string; user: unknown; at: number }> = [];

	/** When other events did, by their keys. */
	readonly otherStarts: Array<{ key: string; isReconstructed: boolean; at: number }> = [];

	/** What Argyle has sent. */
	readonly sendings: Sending[] = [];

	readonly others: Others;

	readonly quirks: Quirks;

	readonly happenings: Happenings;

	readonly failures: Array<{ message: string; at: number }> = [];

	readonly history: Step[];

	readonly calm: { from: number; to: number };

	readonly ways: Ways;

	/** The same as a second workflow of the n8n meets it. */
	readonly second: World | undefined;

	/** What the person has in the editor. */
	draft: Version;

	private readonly credentials = new Map<string, Credential>();

	private readonly random: Random;

	private readonly hasGoneAccounts: boolean;

	private isNetworkDown = false;

	private readonly mover: Mover;

	private readonly sender: Sender;

	constructor(seed: number, setting: Setting) {
		const { ways, service, others, quirks, version, history, hasGoneAccounts } = setting;
		this.ways = ways;
		this.others = others;
		this.quirks = quirks;
		this.draft = version;
		this.history = history;
		this.hasGoneAccounts = hasGoneAccounts;
		// What is drawn from here on does not depend on how long the history is.
		this.random = new Random(seed ^ 0x5eed);
		this.argyle = new Argyle(this.timeline, this.random, { ...service, ...others, quirks: this.quirks });
		const receiverAt = (url: string) => {
			const receiver = this.workflows
				.flatMap(({ installations }) => installations)
				.find(({ n8n }) => n8n.surroundings.url === url)?.n8n;
			if (receiver === undefined || this.isNetworkDown) return undefined;
			return async (body: string, headers: Record<string, string>) => await receiver.deliveries.call(body, headers);
		};
		this.sender = new Sender(this.timeline, this.random, this.quirks, receiverAt, (sending) => {
			const { url } = sending.subscription;
			const { sendings } = this.workflows.find(({ current }) => current.n8n.surroundings.url === url) ?? this;
			sendings.push({ ...sending, main: this.current.n8n.main });
			this.argyle.sentTimes.note(sending.subscription.id, sending);
		});
		const during = (ms: number, end: () => void) => this.during(ms, () => {}, end);
		this.mover = new Mover(this.timeline, this.argyle, during, (clockOffsetMs) => this.install(clockOffsetMs));
		this.correctKeys();
		const lastTrouble = Math.max(0, ...this.history.map((step) => step.at + ('forMs' in step ? step.forMs : 0)));
		const from = BEGIN + Math.max(setting.historyMs, lastTrouble) + MENDING_MS;
		this.calm = { from, to: from + setting.calmMs };
		const send = (tenant: string, message: Message) => this.send(tenant, message);
		this.happenings = new Happenings(this.argyle, this.random, from - MINUTE, this.quirks, send);
		this.install(setting.aheadMs);
		if (setting.hasSecondWorkflow) this.second = this.addSecond();
	}

	/** The first workflow, and the second one if there is one. */
	get workflows(): World[] {
		return this.second === undefined ? [this] : [this, this.second];
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
		const form = { isOfLastAccount: false, lateMs: 0, disorderMs: 0, aheadMs: 0 };
		const submitAfter = (minutes: number, isGone: boolean) =>
			timeline.after(mendAt + minutes * MINUTE, () => this.submit({ ...form, tenant: this.draft.tenant, isGone }));
		submitAfter(20, false);
		// What can't be found out about the last one is no reason to fail for the rest of the day.
		submitAfter(40, this.hasGoneAccounts);
		if (this.others.events.length > 0) for (const minutes of [20, 40]) this.haveOthersHappen(mendAt + minutes * MINUTE);
		await timeline.runUntil(this.calm.to);
		for (const { n8n } of this.installations) n8n.stopAll();
	}

	private install(aheadMs: number): Installation {
		const host = `n8n-${this.installations.length + 1}.example.com`;
		const shared = { argyle: this.argyle, credentials: this.credentials, host };
		const { timeline, random, ways } = this;
		const installation = this.observe((observer) => new N8n(timeline, random, ways, observer, shared));
		installation.n8n.clockOffsetMs = aheadMs;
		return installation;
	}

	/** A workflow with a life of its own, whose starts are noted apart: all else is that of this world. */
	private addSecond(): World {
		const own = {
			starts: [],
			otherStarts: [],
			failures: [],
			sendings: [],
			installations: [],
			draft: { ...this.draft },
		};
		const second: World = Object.assign(Object.create(this), { ...own, second: undefined });
		second.observe((observer) => this.current.n8n.addWorkflow(observer));
		return second;
	}

	private observe(install: (observer: Observer) => N8n): Installation {
		const { timeline } = this;
		const wishes = new WishesOfAll();
		const n8n = install({
			onStart: (item) => {
				const at = timeline.now;
				const key = keyOfItem(item);
				if (isOtherEvent(item.event)) this.otherStarts.push({ key, isReconstructed: item.reconstructed === true, at });
				else this.starts.push({ form: key, user: dataOf(item).user, at });
			},
			onFailure: (message) => this.failures.push({ message, at: timeline.now }),
			onPublishing: (version) => wishes.begin(timeline.now, version, n8n.main?.startedAt),
			onPublished: (version, isDone) => wishes.end(timeline.now, version, isDone),
		});
		const installation = { n8n, wishes };
		this.installations.push(installation);
		return installation;
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
		else if (step.does === 'happens') this.happenings.begin(step.tenant, step.happening, step.lateMs);
		else if (step.does === 'kill' || step.does === 'stop') {
			const { role, place, downMs } = step;
			this.during(
				downMs + 30_000,
				() => n8n[step.does === 'kill' ? 'kill' : 'stop'](role, place),
				() => {},
			);
			this.timeline.after(downMs + (step.does === 'stop' ? 21_000 : 0), () => n8n.start(role, place));
		} else if (this.mover.isMoving && ['publish', 'unpublish', 'test'].includes(step.does)) return;
		else if (step.does === 'publish') this.of(step).publish(step.set);
		else if (step.does === 'unpublish') this.of(step).current.n8n.publication.request(undefined);
		else if (step.does === 'another main leads') n8n.changeLeader();
		else if (step.does === 'test') void n8n.publication.test(this.draft);
		else if (step.does === 'stop an execution') n8n.executions.stopOne();
		else if (step.does === 'retry') n8n.executions.retryOne();
		else if (step.does === 'set the clock') n8n.clockOffsetMs = step.aheadMs;
		else if (step.does === 'delete the subscription')
			for (const { subscriptions } of argyle.tenants.values()) subscriptions.clear();
		else if (step.does === 'move to another n8n') {
			const published = this.mover.move(this.current);
			if (published !== undefined) this.draft = published;
		} else if (step.does === 'Argyle fails')
			this.during(
				step.forMs,
				() => (argyle.outage = step.how),
				() => (argyle.outage = undefined),
			);
		else if (step.does === 'n8n is overloaded')
			this.during(
				step.forMs,
				() => (n8n.isOverloaded = true),
				() => {
					n8n.isOverloaded = false;
					for (const { executions } of n8n.workflows) executions.dispatch();
				},
			);
		else if (step.does === 'the database is locked')
			this.during(
				step.forMs,
				() => n8n.lock(true),
				() => n8n.lock(false),
			);
		else if (step.does === 'deliveries are lost')
			this.during(
				step.forMs,
				() => (this.isNetworkDown = true),
				() => (this.isNetworkDown = false),
			);
		else if ('forMs' in step) this.changeKey(step.does === 'another key', step.forMs);
	}

	/** Which workflow it happens to. */
	private of({ isSecond }: { isSecond?: boolean }): World {
		return (isSecond === true ? this.second : undefined) ?? this;
	}

	private publish(set: Partial<Version>): void {
		this.draft = { ...this.draft, ...set };
		this.current.n8n.publication.request(this.draft);
	}

	private submit(step: Submission): void {
		const { now } = this.timeline;
		const { all } = this.argyle.tenant(step.tenant).forms;
		const before = step.isOfLastAccount ? all.at(-1) : undefined;
		const form: Form = {
			id: this.random.uuid(),
			account: before?.account ?? this.random.uuid(),
			user: before?.user ?? this.random.uuid(),
			tenant: step.tenant,
			createdAt: Math.floor(now + step.aheadMs),
			submittedAt: now,
			listedAt: now + step.lateMs,
			disorderMs: step.disorderMs,
		};
		if (step.isGone) this.argyle.goneAccounts.add(form.account);
		this.argyle.submit(step.tenant, form);
		const { account, user, id } = form;
		this.send(step.tenant, { event: 'user_forms.submitted', data: { account, user, user_form: id } });
	}

	private send(tenant: string, message: Message): void {
		for (const subscription of this.argyle.tenant(tenant).subscriptions.values())
			void this.sender.deliver(subscription, message);
	}

	/** One of each, so that whatever is chosen comes once more when all is well. */
	private haveOthersHappen(at: number): void {
		const moves: Array<[string, number]> = [['COMPLETED', 1_000]];
		const last: Happening[] = [
			{ what: 'account', fails: false, loginMs: 2_000, syncMs: 10_000 },
			{ what: 'account', fails: true, loginMs: 2_000, syncMs: 0 },
			{ what: 'upload' },
			{ what: 'paystubs' },
			{ what: 'verification', moves },
			{ what: 'report', afterMs: 1_000, fails: false },
		];
		for (const happening of last) this.timeline.after(at, () => this.happenings.begin(this.draft.tenant, happening, 0));
	}

	private correctKeys(): void {
		for (const { name, keys } of this.argyle.tenants.values())
			for (const [keyId, keySecret] of keys) this.credentials.set(name, { keyId, keySecret });
	}

	/** The person mistypes the key, or revokes it at Argyle and puts the new one into the credential some time later. */
	private changeKey(isOther: boolean, ms: number): void {
		const { keys, name } = this.argyle.tenant(this.draft.tenant);
		const [[keyId, keySecret] = ['', '']] = keys;
		// By its forms a new key is known to be of the same account; without any, it may be of another one.
		const { all } = this.argyle.tenant(name).forms;
		const isAccountKnown = this.workflows.every(({ starts }) =>
			all.some(({ id }) => starts.some(({ form }) => form === id)),
		);
		if (isOther && !isAccountKnown) return;
		if (!isOther) {
			const mistype = () => this.credentials.set(name, { keyId, keySecret: `${keySecret}x` });
			this.during(ms, mistype, () => this.correctKeys());
			return;
		}
		const other = { keyId: `${keyId}'`, keySecret: `other ${keySecret}` };
		keys.clear();
		keys.set(other.keyId, other.keySecret);
		this.during(
			ms,
			() => {},
			() => this.correctKeys(),
		);
	}

	/** All faults are over, and the person publishes again what could not be published. */
	private mend(): void {
		const { n8n } = this.current;
		this.argyle.outage = undefined;
		n8n.lock((this.isNetworkDown = false));
		n8n.startAll();
		this.correctKeys();
		this.timeline.after(MINUTE, () => {
			for (const each of this.workflows)
				if (each.current.n8n.publication.hasFailed) each.publish({ revision: each.draft.revision + 1 });
		});
	}
}
