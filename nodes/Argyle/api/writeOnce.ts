import type { IDataObject } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import type { ArgyleClient } from '../transport/client';
import { ArgyleError } from '../transport/errors';
import type { ArgyleRequest, UnclearOutcome } from '../transport/request';
import { Semaphore } from '../utils/concurrency';
import { LruMap } from '../utils/lruMap';
import { isRecord } from './records';

interface Done {
	/** The record that Argyle answered with, or that was found later. Empty if Argyle answers with no record. */
	answer: IDataObject;
	/** When the answer was known, in milliseconds since 1970. */
	at: number;
	addsUp: boolean;
}

/** What is known of a request that must not be sent twice; filled by `writeOnce`. */
export class WriteAttempt {
	/** A digest of the request, and of the API key that it is sent with. */
	readonly content: string;

	/** Equal requests wait for each other, so that the second one knows the outcome of the first. */
	readonly turn = new Semaphore(1);

	/** What the request has done. */
	done?: Done;

	/**
	 * The request was sent at this time (milliseconds since 1970), and nobody has found out whether it was carried out.
	 */
	unclear?: { sentAt: number; error: ArgyleError };

	constructor(content: string) {
		this.content = content;
	}
}

/** What is known of the current item's requests. */
export interface AttemptOf {
	/** Returns what is known of the request with this content, even if that was not sent yet. */
	(content: string): WriteAttempt;
	/** Is told when a request that adds up is not sent, because an equal one was answered at this time. */
	onRepeat?(answeredAt: number): void;
}

/**
 * Whether a time of a record, by Argyle's clock, is not earlier than the sending of the request. Only a response tells
 * Argyle's clock, so this function is called only after one.
 */
export type IsSince = (time: unknown) => boolean;

export interface Write {
	request: ArgyleRequest & { unclear: UnclearOutcome };
	/** Two requests to one path are the same if this is equal. @default the body of the request */
	content?: unknown;
	/** Whether Argyle answers with a record. If so, any answer but a record with its ID is unclear. @default true */
	hasAnswer?: boolean;
	/** Whether an equal request that is sent later sends, orders or creates once more. @default whether it is a POST */
	addsUp?: boolean;
	/**
	 * Looks for the record before the request is sent. If it is there, nothing is sent, and the record is the result.
	 */
	findExisting?: () => Promise<IDataObject | undefined>;
	/** For a request that creates a record. Resolves with the records that it may have created. */
	findCreated?: (isSince: IsSince) => Promise<IDataObject[]>;
	/** For a request that changes a record. Resolves with the record if that shows the change. */
	findChanged?: (isSince: IsSince) => Promise<IDataObject | undefined>;
}

/** `Date` headers have whole seconds, and answers travel for some time. */
const CLOCK_TOLERANCE_MS = 3_000;

/**
 * Records that this process knows to be the result of one of its requests. No other request may take them for its
 * result.
 */
const answered = new LruMap<true>();

const keyOf = (client: ArgyleClient, { id }: IDataObject) => `${client.keyDigest} ${String(id)}`;

/** Finds the result: the changed record, or the only new one that is not the result of another request. */
async function lookUp(
	client: ArgyleClient,
	{ findCreated, findChanged }: Write,
	sentAt: number,
): Promise<IDataObject | undefined> {
	const isSince: IsSince = (time) => Date.parse(String(time)) >= client.toServiceTime(sentAt) - CLOCK_TOLERANCE_MS;
	if (findChanged !== undefined) return await findChanged(isSince);
	const created = (await findCreated?.(isSince)) ?? [];
	const [only, ...others] = created.filter((record) => answered.get(keyOf(client, record)) === undefined);
	return others.length === 0 ? only : undefined;
}

function contentOf(
	client: ArgyleClient,
	{ request: { method, path, body }, content = body }: Pick<Write, 'request' | 'content'>,
): string {
	const asked = JSON.stringify([client.credentialDigest, method, path, content]);
	return createHash('sha256').update(asked).digest('base64');
}

async function send(client: ArgyleClient, { request, hasAnswer = true }: Write): Promise<IDataObject> {
	if (hasAnswer) return await client.json(request, isRecord);
	await client.send(request);
	return {};
}

/** Whether an earlier try of the execution has sent the request. Then what that try has made may be found at Argyle. */
export function isSent(client: ArgyleClient, attemptOf: AttemptOf, write: Pick<Write, 'request' | 'content'>): boolean {
	const { done, unclear } = attemptOf(contentOf(client, write));
	return done !== undefined || unclear !== undefined;
}

/**
 * Sends a request that writes to a person, costs money, creates or erases. After an unclear answer, the request is not
 * sent again, because Argyle has no idempotency keys. Instead, this looks for the result, and returns what it finds. An
 * attempt that has its answer already is not made again. Only a deletion is sent again, if a later call finds the
 * record still there. Throws ArgyleError, with `outcomeUnknown` when nobody can tell whether the request was carried
 * out.
 */
export async function writeOnce(client: ArgyleClient, attemptOf: AttemptOf, write: Write): Promise<IDataObject> {
	const attempt = attemptOf(contentOf(client, write));
	return await attempt.turn.run(async () => {
		if (attempt.done === undefined) return await settle(client, attempt, write);
		if (attempt.done.addsUp) attemptOf.onRepeat?.(attempt.done.at);
		return attempt.done.answer;
	});
}

async function settle(client: ArgyleClient, attempt: WriteAttempt, write: Write): Promise<IDataObject> {
	const done = (answer: IDataObject) => {
		const { addsUp = write.request.method === 'POST' } = write;
		attempt.done = { answer, at: Date.now(), addsUp };
		attempt.unclear = undefined;
		if (write.findCreated !== undefined) answered.set(keyOf(client, answer), true);
		return answer;
	};
	if (attempt.unclear !== undefined) {
		const [look] = await Promise.allSettled([lookUp(client, write, attempt.unclear.sentAt)]);
		if (look.status === 'fulfilled' && look.value !== undefined) return done(look.value);
		// The record may still be there. To delete it again has no further effect.
		const isToRepeat = look.status === 'fulfilled' && write.request.method === 'DELETE';
		if (!isToRepeat) throw attempt.unclear.error;
		attempt.unclear = undefined;
	}
	const existing = await write.findExisting?.();
	if (existing !== undefined) return existing;
	const sentAt = Date.now();
	const [outcome] = await Promise.allSettled([send(client, write)]);
	if (outcome.status === 'fulfilled') return done(outcome.value);
	const error: unknown = outcome.reason;
	if (!(error instanceof ArgyleError) || !error.details.outcomeUnknown) throw error;
	attempt.unclear = { sentAt, error };
	// When the lookup fails too, the first error says more.
	const found = await lookUp(client, write, sentAt).catch(() => undefined);
	if (found !== undefined) return done(found);
	throw error;
}
