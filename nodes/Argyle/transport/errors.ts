/** What is known of a failed call beside its words. */
export interface ErrorDetails {
	/** HTTP status of the answer; absent when no answer came or no request was made. */
	statusCode?: number;
	/** True when the service may have done the work although the call failed. */
	outcomeUnknown?: boolean;
	/** True when the failure passes by itself: too many requests, a service that is away or answers nonsense. */
	isTransient?: boolean;
	/** How long the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
	/** True once the description says how often it was tried. */
	hasRetrySummary?: boolean;
}

/**
 * Something went wrong, told to the person who runs the workflow. `message` says what happened, `description` what to
 * do and what the service itself said. Neither ever holds a key or a secret.
 */
export class ArgyleError extends Error {
	readonly description: string;

	readonly details: ErrorDetails;

	constructor(message: string, description: string, facts: ErrorDetails = {}) {
		super(message);
		this.name = 'ArgyleError';
		this.description = description;
		this.details = facts;
	}

	get statusCode(): number | undefined {
		return this.details.statusCode;
	}

	get outcomeUnknown(): boolean {
		return this.details.outcomeUnknown ?? false;
	}

	get isTransient(): boolean {
		return this.details.isTransient ?? false;
	}

	get retryAfterMs(): number | undefined {
		return this.details.retryAfterMs;
	}

	/** Takes how often it was tried and for how long; gives the error with both in its description. */
	withRetrySummary(tries: number, durationMs: number): ArgyleError {
		if (tries === 1 || this.details.hasRetrySummary === true) return this;
		const told = `${this.description} Tried ${tries} times in ${Math.round(durationMs / 1_000)} s.`;
		return new ArgyleError(this.message, told, { ...this.details, hasRetrySummary: true });
	}
}

/**
 * Takes anything caught; gives it as an ArgyleError. What is none already is a mistake of this package, and says so.
 */
export function asArgyleError(error: unknown): ArgyleError {
	if (error instanceof ArgyleError) return error;
	return new ArgyleError(
		'Something unexpected happened',
		`Please report this to the makers of n8n-nodes-argyle: ${String(error)}`,
	);
}

/** Takes anything caught; gives undefined when the service answered 404: the thing asked for isn't there. Throws everything else again. */
export function undefinedWhenNotFound(error: unknown): undefined {
	if (error instanceof ArgyleError && error.statusCode === 404) return undefined;
	throw error;
}
