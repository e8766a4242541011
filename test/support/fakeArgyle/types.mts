import type { Assumed } from './assumed.mts';

export interface ApiKey {
	id: string;
	secret: string;
}

/** As Argyle's OpenAPI file has it; a recorded response to a creation has exactly these fields. */
export interface Subscription {
	id: string;
	created_at: string;
	updated_at: string;
	last_sent_at: string | null;
	events: string[];
	url: string;
	config: Record<string, unknown>;
	name: string;
	secret: string | null;
}

export interface LoggedRequest {
	method: string;
	/** Without the query. */
	path: string;
	query: string;
	/** 0 when a fault left it without a response. */
	status: number;
	body: unknown;
	/** Milliseconds since 1970. */
	at: number;
}

export interface Message {
	to: string;
	method: 'email' | 'sms';
	/** The ID of the invite that it is about. */
	invite: string;
}

export interface DeliveryAttempt {
	url: string;
	event: string;
	/** Null when no response came. */
	status: number | null;
	/** Of the response. */
	body: string;
	/** Milliseconds since 1970. */
	at: number;
}

/** Occurs with the next `times` requests that have its method and path. */
export interface Fault {
	/** @default any */
	method?: string;
	/** Without the query. @default any */
	path?: string | RegExp;
	/** @default 1 */
	times?: number;
	/** @default any body */
	matches?: (body: Record<string, unknown>) => boolean;
	/** How many requests are handled as ever before. @default 0 */
	skip?: number;
	/**
	 * - `status`: respond with `status`, `body` and `headers`
	 * - `html`: respond with the error page of a CDN
	 * - `slow`: wait for `delayMs`, then handle the request
	 * - `hang`: never respond
	 * - `trickle`: respond with a blank now and then, without an end
	 * - `drop`: close the connection
	 * - `dropAfterCommit`: handle the request, then close the connection instead of responding
	 * - `hangAfterCommit`: handle the request, but never respond
	 * - `statusAfterCommit`: handle the request, then respond as `status` does
	 */
	kind:
		| 'statusAfterCommit'
		| 'status'
		| 'slow'
		| 'hang'
		| 'trickle'
		| 'drop'
		| 'html'
		| 'dropAfterCommit'
		| 'hangAfterCommit';
	/** @default 500, or 502 for `html` */
	status?: number;
	body?: unknown;
	headers?: Record<string, string>;
	delayMs?: number;
}

export interface FakeArgyleOptions {
	/** @default 'production' */
	environment?: 'sandbox' | 'production';
	/** @default any free port */
	port?: number;
	/** Over it, Argyle responds 429 with `Retry-After`. @default 50 */
	requestsPerSecond?: number;
	/** Added to every response. @default 0 */
	latencyMs?: number;
	/** How long a delivery waits for its response. @default 10 s */
	deliveryTimeoutMs?: number;
	/** How long after a failed delivery it is retried, once. @default 30 s */
	retryAfterMs?: number;
	/** What it takes for a minute where a subscription shows late that something was sent. @default 60 s */
	minuteMs?: number;
	/** How the lists of records are sorted, as far as is known newest first. @default 'newestFirst' */
	listOrder?: ListOrder;
	/** What no public source tells. @default the first side of each assumption */
	assumed?: Partial<Assumed>;
}

/** What is served at the path of a file: a PDF unless it says otherwise. */
export interface ServedFile {
	/** @default 200 */
	status?: number;
	/** Such as `Location` with status 302. */
	headers?: Record<string, string>;
	/** @default `size` bytes of the fake's own, streamed */
	body?: Buffer | string;
	/** @default 2,000 */
	size?: number;
	/** How often it still breaks off halfway. @default 0 */
	breaksOff?: number;
	/** Whether nothing comes after its first bytes. @default false */
	stalls?: boolean;
}

export type ListOrder = 'newestFirst' | 'nearlyNewestFirst' | 'oldestFirst' | 'shuffled';

/** A user, user form or record of another record type, whose fields matter to few tests. */
export type StoredRecord = Record<string, unknown> & { id: string };

export interface Owner {
	user: string;
	account: string;
}

export interface FormInput {
	user?: string;
	account?: string;
	incomeSource?: string;
	payrollProvider?: string;
	/** ISO 8601. @default now */
	createdAt?: string;
	id?: string;
}
