import { setTimeout as wait } from 'node:timers/promises';
import { isJson, type Json } from '../../test/support/json.mts';
import type { ApiKey, Target } from './options.mts';
import { Undecided } from './undecided.mts';

const TIMEOUT_MS = 30_000;

const MAX_PAGES = 50;

export interface Answer {
	status: number;
	headers: Headers;
	/** Undefined when it is no JSON. */
	body: unknown;
	isEmpty: boolean;
}

interface AskOptions {
	query?: Record<string, string>;
	body?: unknown;
	/** @default the target's */
	key?: ApiKey;
}

/** How often, and how much later, what has to be removed is asked for again while too much is asked. */
const MAX_TRIES = 20;
const TOO_MANY_MS = 1_000;

/** The run was interrupted: no more requests are made. */
export class Interrupted extends Error {}

/** How a list is filled, for those whose account shows nothing. */
const HOW_TO_FILL: Record<string, string> = {
	'/v2/user-forms': 'in Link, search for an employer that does not exist and submit the form that is offered then',
	'/v2/gigs': 'in Link, connect a gig platform with the sample credentials',
	'/v2/shifts': 'in Link, connect an employer with shifts with the sample credentials',
	'/v2/reports': 'make a report of a connected user (Report: Generate)',
	'/v2/user-uploads': 'upload a document (User Upload: Upload)',
	'/v2/verifications': 'order a verification of a user (Verification: Order)',
	'/v2/webhooks': 'create a webhook subscription (Webhook Subscription: Create)',
};

const CONNECT =
	'open Link from Console > Flows in Sandbox mode and connect an employer with the sample credentials (test_1, passgood)';

/** How to get more records than there are. */
export const howToFill = (path: string) => `To see it, ${HOW_TO_FILL[path] ?? CONNECT}.`;

/** Asks the service at the rate that is allowed, and remembers its lists. */
export class Probe {
	readonly target: Target;

	private readonly signal: AbortSignal;

	private readonly lists = new Map<string, Promise<Json[]>>();

	private nextAt = 0;

	requestCount = 0;

	/** How many of them were answered with 403 to the key of the run, and how many with success. */
	readonly rights = { forbidden: 0, granted: 0 };

	/** Whether what is refused because too much was asked is asked again. */
	private readonly isPatient: boolean;

	constructor(target: Target, signal: AbortSignal, isPatient = false) {
		this.target = target;
		this.signal = signal;
		this.isPatient = isPatient;
	}

	/** One that may go on when the run is interrupted, to clean up. */
	uninterrupted(): Probe {
		return new Probe(this.target, new AbortController().signal, true);
	}

	/** Throws Undecided when no answer comes, and Interrupted. */
	async ask(method: string, path: string, options: AskOptions = {}): Promise<Answer> {
		let response = await this.send(method, path, options);
		for (let tries = 1; this.isPatient && response.status === 429 && tries < MAX_TRIES; tries++) {
			await wait(TOO_MANY_MS);
			response = await this.send(method, path, options);
		}
		if (options.key === undefined && response.status === 403) this.rights.forbidden++;
		if (options.key === undefined && response.ok) this.rights.granted++;
		const text = await response.text().catch(() => '');
		return { status: response.status, headers: response.headers, body: parsed(text), isEmpty: text === '' };
	}

	/** The same without the body, which is not read. */
	async askForHead(path: string): Promise<Pick<Answer, 'status' | 'headers'>> {
		const { status, headers, body } = await this.send('GET', path, {});
		await body?.cancel();
		return { status, headers };
	}

	private async send(method: string, path: string, { query, body, key }: AskOptions): Promise<Response> {
		const url = new URL(path, this.target.origin);
		for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
		const { id, secret } = key ?? this.target.key;
		const isForm = body instanceof FormData;
		await this.keepRate();
		if (this.signal.aborted) throw new Interrupted();
		this.requestCount++;
		// Not aborted when the run is: what the request does would not be known.
		return await fetch(url, {
			method,
			redirect: 'manual',
			headers: {
				Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
				...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
			},
			body: body === undefined || isForm ? body : JSON.stringify(body),
			signal: AbortSignal.timeout(TIMEOUT_MS),
		}).catch((error: unknown) => {
			throw new Undecided(`No answer came to ${method} ${url.pathname} (${reason(error)}).`);
		});
	}

	private async keepRate(): Promise<void> {
		const now = Date.now();
		const at = Math.max(now, this.nextAt);
		this.nextAt = at + 1_000 / this.target.rate;
		if (at > now) await wait(at - now);
	}

	/** The records of the first page of 200. Throws Undecided when the list can't be read. */
	async page(path: string, query: Record<string, string> = {}): Promise<Json[]> {
		const { status, body } = await this.ask('GET', path, { query: { ...query, limit: '200' } });
		if (status === 403) throw new Undecided(`The key may not read ${path} (403).`, 'Ask the owner of the workspace.');
		if (status !== 200) throw new Undecided(`${path} answered ${status}.`);
		const results = recordsIn(body);
		if (results === undefined) throw new Undecided(`${path} sent no list.`);
		return results;
	}

	/** As `page`, asked for once. */
	async records(path: string): Promise<Json[]> {
		const known = this.lists.get(path) ?? this.page(path);
		this.lists.set(path, known);
		return await known;
	}

	/** As `records`. Throws Undecided, with a way to make some, when there are fewer. */
	async atLeast(count: number, path: string): Promise<[Json, ...Json[]]> {
		const records = await this.records(path);
		const [first, ...rest] = records;
		if (first === undefined || records.length < count)
			throw new Undecided(`${path} has ${records.length} of the ${count} records that this takes.`, howToFill(path));
		return [first, ...rest];
	}

	/** All pages, for cleaning up. */
	async all(path: string, query: Record<string, string>): Promise<Json[]> {
		const found: Json[] = [];
		let next: string | undefined = `${path}?${new URLSearchParams({ ...query, limit: '200' }).toString()}`;
		for (let page = 0; next !== undefined && page < MAX_PAGES; page++) {
			const { status, body }: Answer = await this.ask('GET', next);
			if (status !== 200) throw new Undecided(`${path} answered ${status}.`);
			found.push(...(recordsIn(body) ?? []));
			const link: unknown = isJson(body) ? body.next : undefined;
			next = typeof link === 'string' && URL.canParse(link) ? pathOf(link) : undefined;
		}
		return found;
	}
}

export const pathOf = (link: string) => new URL(link).pathname + new URL(link).search;

export function recordsIn(body: unknown): Json[] | undefined {
	const results = isJson(body) ? body.results : body;
	return Array.isArray(results) ? results.filter(isJson) : undefined;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** Node puts what went wrong into the cause. Under Jest an error of another realm is no instance of Error. */
function reason(error: unknown): string {
	if (!isJson(error)) return 'unknown';
	if (error.name === 'TimeoutError') return `none within ${TIMEOUT_MS / 1_000} s`;
	return isJson(error.cause) && 'code' in error.cause ? String(error.cause.code) : String(error.message);
}
