import type { IWebhookFunctions } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import { clock } from '../utils/clock';
import type { EventMessage } from '../api/eventMessage';
import { putNewest } from '../utils/lruMap';
import { ROTATION_OVERLAP_MS } from './staticData';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** What becomes of a delivery: it is new, was taken before, or the first of its kind has no answer yet. */
export type ClaimOutcome = 'new' | 'duplicate' | 'pending';

interface Claim {
	until: number;
	/** The answer that n8n gives once the execution is stored; dropped when it was given. */
	response?: Response;
}

/** A form is submitted once, so its event is a repeat whenever it comes again. */
const FORM_MS = 86_400_000;

/** Some 100 bytes each. */
const MOST_TAKINGS = 10_000;

/** Argyle waits 10 s for an answer. */
const WAIT_MS = 8_000;

/**
 * Takes a trigger's key and an event message; gives what is the same for each delivery of one event. Argyle sends no
 * delivery id: a form's event is known by the form, any other by everything it says. The subscription's name is left out,
 * because an event can come through an old and a new subscription.
 */
export function deduplicationKey(trigger: string, { event, data }: EventMessage): string {
	const form = event.startsWith('user_forms.') && typeof data.user_form === 'string' ? data.user_form : undefined;
	return createHash('sha256')
		.update(JSON.stringify([trigger, event, form ?? data]))
		.digest('base64');
}

/** Takes an event message; gives for how long (milliseconds) another delivery like it counts as its repeat. */
export function deduplicationWindowMs({ event }: EventMessage): number {
	return event.startsWith('user_forms.') ? FORM_MS : ROTATION_OVERLAP_MS;
}

const isStored = (response: Response) => response.writableEnded && response.statusCode < 300;

/** Resolves when the caller has its answer or is gone, or the time is over. */
async function ending(response: Response, ms: number): Promise<void> {
	await Promise.race([
		new Promise((resolve) => response.once('close', resolve)),
		clock.pause(Math.max(0, ms)),
	]);
}

/**
 * Remembers in this process which deliveries were taken. A delivery counts as taken only when n8n has answered that the
 * execution is stored; one that n8n could not store is new when it comes again.
 */
export class DeliveryDeduplicator {
	private readonly takings = new Map<string, Claim>();

	/**
	 * Takes a delivery's key, the response that n8n will answer with, and for how long (milliseconds) repeats are known;
	 * gives how it stands. A new one is noted as under way; one beside it waits for its outcome, up to 8 s.
	 */
	async claim(key: string, response: Response, repeatsForMs: number): Promise<ClaimOutcome> {
		const deadline = Date.now() + WAIT_MS;
		for (;;) {
			const now = Date.now();
			const known = this.takings.get(key);
			if (known === undefined || known.until <= now) break;
			if (known.response === undefined || isStored(known.response)) return 'duplicate';
			if (known.response.writableEnded) break;
			if (now >= deadline) return 'pending';
			await ending(known.response, deadline - now);
			if (known.response?.destroyed === true && !known.response.writableEnded) return 'pending';
		}
		this.note(key, { until: Date.now() + repeatsForMs, response });
		return 'new';
	}

	private note(key: string, taking: Claim): void {
		putNewest(this.takings, key, taking, MOST_TAKINGS);
		taking.response?.once('finish', () => {
			const wasStored = taking.response !== undefined && isStored(taking.response);
			taking.response = undefined;
			if (!wasStored && this.takings.get(key) === taking) this.takings.delete(key);
		});
	}
}
