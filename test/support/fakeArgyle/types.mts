/** A key pair of the API. */
export interface ApiKey {
	id: string;
	secret: string;
}

/**
 * A webhook subscription as the service stores and shows it (Argyle's OpenAPI file; a recorded create answer has
 * exactly these fields).
 */
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

/** A request as it was answered. */
export interface LoggedRequest {
	method: string;
	/** Without the query. */
	path: string;
	query: string;
	/** 0 when a fault left it without an answer. */
	status: number;
	body: unknown;
	/** Milliseconds since 1970. */
	at: number;
}

/** One try to deliver an event. */
export interface DeliveryAttempt {
	subscriptionId: string;
	url: string;
	event: string;
	/** HTTP status; null when no answer came. */
	status: number | null;
	/** What was answered. */
	body: string;
	at: number;
}

/** A fault that the service is told to show; spent after `times` requests that it fits. */
export interface Fault {
	method?: string;
	path?: string | RegExp;
	/** 1 unless told. */
	times?: number;
	/**
	 * status: answer with it · slow: wait `delayMs`, then answer properly · hang: never answer · drop: cut the
	 * connection, nothing done · html: answer a CDN's error page · lost: do the work, then cut the connection · silent: do
	 * the work, then never answer.
	 */
	kind: 'status' | 'slow' | 'hang' | 'drop' | 'html' | 'dropAfterCommit' | 'hangAfterCommit';
	status?: number;
	body?: unknown;
	headers?: Record<string, string>;
	delayMs?: number;
}

/** How the service behaves. */
export interface FakeArgyleOptions {
	/** `production` unless told. */
	environment?: 'sandbox' | 'production';
	/** Any free one unless told. */
	port?: number;
	/** 50 unless told; over it, 429 with `Retry-After`. */
	requestsPerSecond?: number;
	/** How long every answer takes; no time unless told. */
	latencyMs?: number;
	/** How long a delivery waits for its answer; 10 s unless told. */
	deliveryTimeoutMs?: number;
	/** How long after a failed delivery its one repeat follows; 30 s unless told. */
	retryAfterMs?: number;
}

/** Any record of the service that the tests don't look into. */
export type StoredRecord = Record<string, unknown> & { id: string };

/** What a person may write into a form; users, accounts and words are made up where they are left out. */
export interface FormInput {
	user?: string;
	account?: string;
	incomeSource?: string;
	payrollProvider?: string;
}
