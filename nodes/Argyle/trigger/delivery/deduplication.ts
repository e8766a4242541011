import type { IWebhookFunctions } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import type { EventMessage } from '../../api/delivery';
import { clock } from '../../utils/clock';
import { isWithin } from '../../utils/elapsed';
import { LruMap } from '../../utils/lruMap';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

interface Claim {
	at: number;
	/** The response that n8n sends once the execution is stored; dropped when it was sent. */
	response?: Response;
}

/**
 * For how long an equal delivery counts as a duplicate: Argyle waits 10 s for an answer and repeats a delivery once, 30
 * s later; the rest is for slow networks.
 */
const WINDOW_MS = 120_000;

/** About 100 bytes each. */
const MAX_CLAIMS = 10_000;

/** Argyle waits 10 s for an answer. */
const MAX_WAIT_MS = 8_000;

/**
 * Equal for every delivery of one event. Argyle sends no delivery id, so that an event is known by all its data. The
 * subscription's name is left out, because an event can come through an old and a new subscription.
 */
export function deduplicationKey(trigger: string, { event, data }: EventMessage): string {
	return createHash('sha256')
		.update(JSON.stringify([trigger, event, data]))
		.digest('base64');
}

/** Whether n8n has answered that the execution is stored, heard or not. */
export const isStored = (response: Response) => response.writableEnded && response.statusCode < 300;

/** Resolves when the caller has its answer or is gone, or after `ms`. */
async function responseEnd(response: Response, ms: number): Promise<void> {
	await Promise.race([new Promise((resolve) => response.once('close', resolve)), clock.pause(Math.max(0, ms))]);
}

/**
 * The deliveries that this process has accepted. A delivery counts only once n8n has answered that its execution is
 * stored; one that n8n could not store is new when it comes again.
 */
export class DeliveryDeduplicator {
	private readonly claims = new LruMap<Claim>(MAX_CLAIMS);

	/**
	 * Claims a delivery. A concurrent duplicate waits up to 8 s for the first one's outcome. `response` is the one that
	 * n8n answers with.
	 */
	async claim(key: string, response: Response): Promise<'new' | 'duplicate' | 'pending'> {
		const deadline = Date.now() + MAX_WAIT_MS;
		for (;;) {
			const now = Date.now();
			const earlier = this.claims.get(key);
			if (earlier === undefined || !isWithin(WINDOW_MS, earlier.at, now)) break;
			if (earlier.response === undefined || isStored(earlier.response)) return 'duplicate';
			if (earlier.response.writableEnded) break;
			if (now >= deadline) return 'pending';
			await responseEnd(earlier.response, deadline - now);
			if (earlier.response?.destroyed === true && !earlier.response.writableEnded) return 'pending';
		}
		this.record(key, { at: Date.now(), response });
		return 'new';
	}

	private record(key: string, claim: Claim): void {
		this.claims.deleteOldestWhile(({ at }) => !isWithin(WINDOW_MS, at, Date.now()));
		this.claims.set(key, claim);
		claim.response?.once('close', () => {
			// A caller that hung up does not keep n8n from storing the execution later.
			if (claim.response?.writableEnded !== true) return;
			const wasStored = isStored(claim.response);
			claim.response = undefined;
			if (!wasStored && this.claims.get(key) === claim) this.claims.delete(key);
		});
	}
}
