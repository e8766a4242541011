import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, detail, write } from './response.mts';
import { answerControl } from './controlRoutes.mts';
import { deliverTo, receives } from './deliveries.mts';
import { Faults, show } from './faults.mts';
import { RateLimit } from './rateLimit.mts';
import { answerReceipts, receiptPdf } from './receipts.mts';
import { answerRecords } from './collections.mts';
import { seedForms, seedUsers, userForm } from './seed.mts';
import type {
	ApiKey,
	DeliveryAttempt,
	Fault,
	FormInput,
	LoggedRequest,
	FakeArgyleOptions,
	StoredRecord,
	Subscription,
} from './types.mts';
import { answerWebhooks } from './webhooks.mts';

export type * from './types.mts';

const newKey = (): ApiKey => ({ id: randomUUID().replaceAll('-', ''), secret: randomBytes(24).toString('base64url') });

const basic = ({ id, secret }: ApiKey) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;

/**
 * A stand-in for the Argyle API: a real HTTP server on loopback that behaves as the recorded facts say, and whose stores,
 * faults and deliveries a test can see and order.
 */
export class FakeArgyle {
	/** Right for this environment. A test may set its own. */
	key = newKey();

	/** Of the other environment: answered 401 "Invalid environment.". */
	readonly otherEnvironmentKey = newKey();

	readonly subscriptions = new Map<string, Subscription>();

	readonly users = new Map(seedUsers().map((user) => [user.id, user]));

	readonly userForms = new Map(seedForms([...this.users.keys()]).map((form) => [form.id, form]));

	readonly requests: LoggedRequest[] = [];

	readonly deliveries: DeliveryAttempt[] = [];

	readonly faults = new Faults();

	/** How many requests were being answered at the same time, at the most. */
	peakConcurrency = 0;

	/** Called with each subscription that is made, before the answer is given. */
	onCreated: (subscription: Subscription) => Promise<void> = async () => {};

	/** Scheme, host and port; known once the service has started. */
	origin = '';

	private readonly options: FakeArgyleOptions;

	private readonly limit: RateLimit;

	private readonly stopped = new AbortController();

	private underWay = 0;

	private readonly server = createServer((request, response) => {
		this.peakConcurrency = Math.max(this.peakConcurrency, ++this.underWay);
		response.once('close', () => this.underWay--);
		this.answer(request, response).catch(() => response.destroy());
	});

	constructor(options: FakeArgyleOptions) {
		this.options = options;
		this.limit = new RateLimit(options.requestsPerSecond ?? 50);
	}

	/** Listens on loopback. Rejects when the port is taken. */
	async start(): Promise<this> {
		await this.listen(this.options.port ?? 0);
		const address = this.server.address();
		if (address === null || typeof address === 'string') throw new Error('The stand-in has no port');
		this.origin = `http://127.0.0.1:${address.port}`;
		return this;
	}

	private async listen(port: number): Promise<void> {
		await new Promise<void>((resolve, reject) => {
			this.server.once('error', reject);
			this.server.listen(port, '127.0.0.1', resolve);
		});
	}

	/** Is away: connections are cut and refused, until it comes back at the same address. */
	async goOffline(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	async goOnline(): Promise<void> {
		await this.listen(Number(new URL(this.origin).port));
	}

	/** Stops at once: open connections are cut and waiting deliveries dropped. */
	async stop(): Promise<void> {
		this.stopped.abort();
		await this.goOffline();
	}

	/** Orders a fault; faults are shown in the order in which they were ordered. */
	addFault(fault: Fault): void {
		this.faults.add(fault);
	}

	/** Forgets the faults that are left. */
	clearFaults(): void {
		this.faults.clear();
	}

	/** Gives the exact bytes of a user's receipt. */
	async receiptPdf(userId: string): Promise<Buffer> {
		const user = this.users.get(userId);
		if (user === undefined) throw new Error(`The stand-in knows no user ${userId}`);
		return await receiptPdf(user);
	}

	/** Stores a user form and delivers `user_forms.submitted`; resolves after the last attempt, a repeat included. */
	async submitForm(input: FormInput = {}): Promise<{ form: StoredRecord; user: string; attempts: DeliveryAttempt[] }> {
		const user = input.user ?? [...this.users.keys()][0] ?? randomUUID();
		const form = userForm(
			input.account ?? randomUUID(),
			input.incomeSource ?? 'Corner Bakery',
			input.payrollProvider ?? 'Paper checks',
		);
		this.userForms.set(form.id, { ...form, user });
		return {
			form,
			user,
			attempts: await this.deliver('user_forms.submitted', { account: form.account, user, user_form: form.id }),
		};
	}

	/**
	 * Delivers an event to every subscription that receives it, at the same time; resolves after the last attempt,
	 * repeats included.
	 */
	async deliver(event: string, data: Record<string, unknown>): Promise<DeliveryAttempt[]> {
		const attempts: DeliveryAttempt[] = [];
		const timing = {
			timeoutMs: this.options.deliveryTimeoutMs ?? 10_000,
			retryAfterMs: this.options.retryAfterMs ?? 30_000,
		};
		const targets = [...this.subscriptions.values()].filter((subscription) => receives(subscription, event));
		await Promise.all(
			targets.map(async (subscription) => {
				await deliverTo(subscription, event, data, timing, this.stopped.signal, (attempt) => {
					attempts.push(attempt);
					this.deliveries.push(attempt);
				});
			}),
		);
		return attempts;
	}

	private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const url = new URL(request.url ?? '/', this.origin);
		const method = request.method ?? 'GET';
		const { body, isReadable } = await readBody(request);
		// Not part of Argyle: no fault hits a control call, none is logged.
		if (url.pathname.startsWith('/stand-in/'))
			return write(response, await answerControl(this, method, url.pathname, body));
		const at = Date.now();
		const log = (status: number) =>
			this.requests.push({ method, path: url.pathname, query: url.search, status, body, at });

		const fault = this.faults.take(method, url.pathname);
		if (fault !== undefined) {
			const shown = show(fault, request, response);
			if (shown !== undefined) return void log(shown);
			if (fault.kind === 'slow') await wait(fault.delayMs ?? 0, undefined, { signal: this.stopped.signal });
		}
		if (this.options.latencyMs !== undefined) await wait(this.options.latencyMs);
		const answer = await this.work(request, method, url, body, isReadable);
		log(answer.status);
		if (fault?.kind === 'dropAfterCommit') request.socket.destroy();
		else if (fault?.kind !== 'hangAfterCommit') write(response, answer);
	}

	private async work(
		request: IncomingMessage,
		method: string,
		url: URL,
		body: unknown,
		isReadable: boolean,
	): Promise<Answer> {
		if (!this.limit.allows(Date.now())) return detail(429, 'Too Many Requests', { 'Retry-After': '1' });
		const { authorization } = request.headers;
		if (authorization === basic(this.otherEnvironmentKey)) return detail(401, 'Invalid environment.');
		if (authorization !== basic(this.key)) return detail(401, 'Invalid username/password.');
		if (!isReadable) return detail(400, 'JSON parse error.');
		const [, version, resource, id, ...rest] = url.pathname.split('/');
		if (version !== 'v2' || rest.length > 0) return detail(404, 'Not found.');
		switch (resource) {
			case 'webhooks':
				return await this.answerWebhooks(method, url, id, body);
			case 'receipts':
				return await answerReceipts(this.users, this.options.environment === 'sandbox', method, body);
			case 'users':
				return answerRecords(this.users, method, url, id, ['external_id']);
			case 'user-forms':
				return answerRecords(this.userForms, method, url, id, ['account', 'user']);
			default:
				return detail(404, 'Not found.');
		}
	}

	private async answerWebhooks(method: string, url: URL, id: string | undefined, body: unknown): Promise<Answer> {
		const known = new Set(this.subscriptions.keys());
		const answer = answerWebhooks(this.subscriptions, method, url, id, body);
		for (const subscription of this.subscriptions.values())
			if (method === 'POST' && !known.has(subscription.id)) await this.onCreated(subscription);
		return answer;
	}
}

async function readBody(request: IncomingMessage): Promise<{ body: unknown; isReadable: boolean }> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(Buffer.from(chunk));
	const text = Buffer.concat(chunks).toString();
	try {
		return { body: text === '' ? undefined : JSON.parse(text), isReadable: true };
	} catch {
		return { body: text, isReadable: false };
	}
}

/** Starts the stand-in service. */
export async function startFakeArgyle(options: FakeArgyleOptions = {}): Promise<FakeArgyle> {
	return await new FakeArgyle(options).start();
}
