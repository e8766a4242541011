import { UserError } from 'n8n-workflow';

/** What is known about a failed call, apart from the words for people. */
export interface ErrorDetails {
	/**
	 * The HTTP status of the response. Absent if there was none. A request that was not sent because of the rate has 429.
	 */
	statusCode?: number;
	/** Whether the service may have done the work although the call failed. */
	outcomeUnknown?: boolean;
	/** Whether the failure may pass by itself: too many requests, or a service that is away or sends nonsense. */
	isTransient?: boolean;
	/** Whether the request was not sent, because its turn would have come too late. */
	isUnsent?: boolean;
	/** Whether no connection could be made, so that the service got no request. */
	isUnreachable?: boolean;
	/** How many tries are worthwhile, if they are only a few. */
	maxTries?: number;
	/** How long the service asks to wait. */
	retryAfterMs?: number;
	/** Whether the call is not tried again, because no time or try is left, or the execution was stopped. */
	isGivenUp?: boolean;
	/** Whether the description says how often the call was tried. */
	hasRetrySummary?: boolean;
	/** Whether the message says which item the error is about. */
	namesItem?: boolean;
	/**
	 * The error of n8n from which this error was made. If an activation fails with a `UserError`, n8n doesn't repeat the
	 * activation.
	 */
	userError?: UserError;
}

/**
 * A failure in words for the person who runs the workflow. `message` says what happened. `description` says what to do,
 * and what the service said. Neither ever contains a key or a secret.
 */
export class ArgyleError extends Error {
	readonly description: string;

	readonly details: ErrorDetails;

	constructor(message: string, description: string, details: ErrorDetails = {}) {
		super(message);
		this.name = 'ArgyleError';
		this.description = description;
		this.details = details;
	}

	/** For places where n8n shows only the message of an error. */
	get fullMessage(): string {
		return `${this.message}. ${this.description}`;
	}

	/**
	 * As `withRetrySummary`. The error also says that the call was given up, so that an outer retry does not try again.
	 */
	givenUp(tries: number, durationMs: number): ArgyleError {
		const { message, description, details } = this.withRetrySummary(tries, durationMs);
		return new ArgyleError(message, description, { ...details, isGivenUp: true });
	}

	/**
	 * Adds the number of tries and their duration to the description, unless there was only one try or the description has
	 * them already.
	 */
	withRetrySummary(tries: number, durationMs: number): ArgyleError {
		if (tries === 1 || this.details.hasRetrySummary === true) return this;
		const description = `${this.description} Tried ${tries} times in ${Math.round(durationMs / 1_000)} s.`;
		return new ArgyleError(this.message, description, { ...this.details, hasRetrySummary: true });
	}
}

/** Makes the error for what is refused before a request is made. `advice` says in whole sentences what to do. */
export const refused = (message: string, ...advice: string[]): ArgyleError =>
	new ArgyleError(message, [...advice, 'Nothing was sent to Argyle.'].join(' '));

type N8nError = Error & { description?: unknown };

/**
 * Does not use `instanceof`: the ancestors of n8n's error classes differ between versions of n8n. All of n8n's error
 * classes have a level and tags.
 */
function isN8nError(error: unknown): error is N8nError {
	return error instanceof Error && 'level' in error && 'tags' in error;
}

/** Uses no regular expression, because that would be slow on a text with many blanks. */
function withoutPeriod(text: string): string {
	const trimmed = text.trimEnd();
	return trimmed.endsWith('.') ? trimmed.slice(0, -1) : trimmed;
}

function fromN8nError(error: N8nError): ArgyleError {
	const { message, description: reason } = error;
	const advice = "Check the node's credential and expressions.";
	const description = typeof reason === 'string' && reason !== '' ? `${withoutPeriod(reason)}. ${advice}` : advice;
	const userError = error instanceof UserError ? error : undefined;
	return new ArgyleError(withoutPeriod(message), description, { userError });
}

/**
 * Returns any error as an ArgyleError. The errors of n8n, such as those of a missing credential or a failing
 * expression, keep n8n's words. Any other error comes from a bug in this package.
 */
export function asArgyleError(error: unknown): ArgyleError {
	if (error instanceof ArgyleError) return error;
	if (isN8nError(error)) return fromN8nError(error);
	return new ArgyleError(
		'Something unexpected happened',
		`Please report this to the makers of n8n-nodes-argyle: ${String(error)}`,
	);
}

/**
 * Whether the service has said that the key may not read something (403), or that it does not exist (404). Trying again
 * would not help.
 */
const isLacking = (error: unknown): boolean =>
	error instanceof ArgyleError && [403, 404].includes(Number(error.details.statusCode));

/** For `.catch()`: turns a 404 into undefined, and throws any other error again. */
export function undefinedWhenNotFound(error: unknown): undefined {
	if (error instanceof ArgyleError && error.details.statusCode === 404) return undefined;
	throw error;
}

/** For `.catch()`: turns a 403 or 404 into undefined, and throws any other error again. */
export function undefinedWhenLacking(error: unknown): undefined {
	if (isLacking(error)) return undefined;
	throw error;
}
