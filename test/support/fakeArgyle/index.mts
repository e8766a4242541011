import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { assume, type Assumed } from './assumed.mts';
import { deliverToAll } from './deliveries.mts';
import type { RecordTypeName } from './recordTypes.mts';
import { Faults } from './faults.mts';
import { FileHost } from './files.mts';
import { LoopbackServer } from './loopbackServer.mts';
import { Person } from './person.mts';
import { RateLimit } from './rateLimit.mts';
import { receiptPdf } from './receipts.mts';
import { Records } from './records.mts';
import { completeReport } from './reportWrites.mts';
import { seedForms, seedItems, seedUsers, submittedForm } from './seed.mts';
import { serve } from './serve.mts';
import type {
	ApiKey,
	DeliveryAttempt,
	FakeArgyleOptions,
	Fault,
	FormInput,
	ListOrder,
	LoggedRequest,
	Message,
	Owner,
	StoredRecord,
	Subscription,
} from './types.mts';

export type * from './types.mts';

const newKey = (): ApiKey => ({ id: randomUUID().replaceAll('-', ''), secret: randomBytes(24).toString('base64url') });

/** The Argyle API on loopback, as documented and recorded, with stores, faults and deliveries that a test controls. */
export class FakeArgyle {
	key = newKey();

	readonly otherEnvironmentKey = newKey();

	readonly isSandbox: boolean;

	readonly listOrder: ListOrder;

	/** What no public source tells; a test may change it. */
	assumed: Assumed;

	readonly subscriptions = new Map<string, Subscription>();

	readonly users = new Map(seedUsers().map((user) => [user.id, user]));

	readonly userForms = new Map(seedForms([...this.users.keys()]).map((form) => [form.id, form]));

	readonly items = new Map(seedItems().map((item) => [item.id, item]));

	/** The records of all other types; three of each for the account of each form. */
	readonly records = new Records();

	readonly accounts = this.records.of('accounts');

	readonly invites = new Map<string, StoredRecord>();

	/** Every e-mail and text message to a person. */
	readonly messages: Message[] = [];

	/** Where Argyle's redirects may lead. */
	readonly fileHost = new FileHost();

	readonly erased = new Set<string>();

	maxUploadBytes = Infinity;

	readonly requests: LoggedRequest[] = [];

	readonly deliveries: DeliveryAttempt[] = [];

	readonly faults = new Faults();

	/** By how much Argyle's clock is ahead of this machine's. */
	clockOffsetMs = 0;

	/** Called after a subscription is stored and before the response is sent. */
	onCreated: (subscription: Subscription) => Promise<void> = async () => {};

	private readonly options: FakeArgyleOptions;

	private readonly stopping = new AbortController();

	/** Deliveries, with those that are to be made when a request has been answered. */
	private readonly underWay = new Set<Promise<unknown>>();

	private readonly server: LoopbackServer;

	constructor(options: FakeArgyleOptions) {
		this.options = options;
		this.isSandbox = options.environment === 'sandbox';
		this.assumed = assume(options.assumed);
		this.listOrder = options.listOrder ?? 'newestFirst';
		for (const { account, user } of this.userForms.values())
			this.records.addSeed({ account: String(account), user: String(user) });
		const { requestsPerSecond = 50, latencyMs } = options;
		const conditions = { rateLimit: new RateLimit(requestsPerSecond), latencyMs, signal: this.stopping.signal };
		this.server = new LoopbackServer(async (...exchange) => await serve(this, conditions, ...exchange));
	}

	/** Rejects when the port is in use. */
	async start(): Promise<this> {
		await this.fileHost.start();
		await this.server.start(this.options.port ?? 0);
		return this;
	}

	get origin(): string {
		return this.server.origin;
	}

	get peakConcurrency(): number {
		return this.server.peakConcurrency;
	}

	async goOffline(): Promise<void> {
		await this.server.goOffline();
	}

	async goOnline(): Promise<void> {
		await this.server.goOnline();
	}

	/** Goes offline for good, and cancels the deliveries that wait for their retry. */
	async stop(): Promise<void> {
		this.stopping.abort();
		await Promise.all([this.goOffline(), this.fileHost.stop()]);
	}

	/** Faults occur in the order in which they were added. */
	addFault(fault: Fault): void {
		this.faults.add(fault);
	}

	clearFaults(): void {
		this.faults.clear();
	}

	async receiptPdf(userId: string): Promise<Buffer> {
		const user = this.users.get(userId);
		if (user === undefined) throw new Error(`The fake Argyle has no user ${userId}`);
		return await receiptPdf(user);
	}

	readonly now = (): string => new Date(Date.now() + this.clockOffsetMs).toISOString();

	messagesTo(address: string): number {
		return this.messages.filter(({ to }) => to === address).length;
	}

	person(inviteId: string): Person {
		return new Person(this, inviteId);
	}

	/** Stores a user form, and delivers `user_forms.submitted` as `deliver` does. */
	async submitForm(input: FormInput = {}): Promise<{ form: StoredRecord; user: string; attempts: DeliveryAttempt[] }> {
		const { form, user } = this.storeForm(input);
		const data = { account: form.account, user, user_form: form.id };
		const isNew = input.account === undefined;
		if (isNew && this.assumed.addedByForm === 'yes')
			await this.deliver('accounts.added', { account: form.account, user });
		return { form, user, attempts: await this.deliver('user_forms.submitted', data) };
	}

	storeForm(input: FormInput = {}): { form: StoredRecord; user: string } {
		const user = input.user ?? [...this.users.keys()][0] ?? randomUUID();
		const account = input.account ?? randomUUID();
		const form = submittedForm(account, input);
		this.records.addAccount({ account, user });
		this.userForms.set(form.id, { ...form, user });
		return { form, user };
	}

	/**
	 * Stores records from the newest to the oldest, such as `addRecords('gigs', 2_503, { account: randomUUID() })`. What
	 * is left out is made up, for the first account that is known.
	 */
	addRecords(
		name: RecordTypeName,
		count: number,
		fields: Partial<Owner> & Record<string, unknown> = {},
	): StoredRecord[] {
		const [first] = this.accounts.values();
		const { user = String(first?.user ?? randomUUID()), account = first?.id ?? randomUUID(), ...rest } = fields;
		return this.records.add(name, count, { user, account }, rest);
	}

	/** Delivers an event to all its subscriptions at the same time. Resolves after the last attempt, retries included. */
	async deliver(event: string, data: Record<string, unknown>): Promise<DeliveryAttempt[]> {
		const { deliveryTimeoutMs: timeoutMs = 10_000, retryAfterMs = 30_000, minuteMs = 60_000 } = this.options;
		const timing = { timeoutMs, retryAfterMs, minuteMs };
		return await this.whileUnderWay(deliverToAll(this, event, data, timing, this.stopping.signal));
	}

	/** Resolves when no delivery is under way any more, retries included. */
	async untilDelivered(): Promise<void> {
		while (this.underWay.size > 0) await Promise.all(this.underWay);
	}

	private async whileUnderWay<T>(delivery: Promise<T>): Promise<T> {
		this.underWay.add(delivery);
		return await delivery.finally(() => this.underWay.delete(delivery));
	}

	/** The status of a success that makes a record. */
	get createdStatus(): number {
		return Number(this.assumed.createdStatus);
	}

	/** Delivers an event after the response to the request that led to it. */
	announce(event: string, data: Record<string, unknown>): void {
		void this.whileUnderWay(setImmediate().then(async () => await this.deliver(event, data)));
	}

	/** As a moment after its request: the report is generated, which is delivered. */
	completeReport(id: string): void {
		completeReport(this, id);
	}
}

export async function startFakeArgyle(options: FakeArgyleOptions = {}): Promise<FakeArgyle> {
	return await new FakeArgyle(options).start();
}
