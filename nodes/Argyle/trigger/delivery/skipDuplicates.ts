import type { IWebhookFunctions } from 'n8n-workflow';
import { createHash } from 'node:crypto';

import type { EventMessage } from '../../api/delivery';
import { beforeDeadline, isWithin } from '../../utils/clock';
import { LruMap } from '../../utils/lruMap';
import { DUPLICATE_MS } from '../state/timing';

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

interface Claim {
	at: number;
	/** The response that n8n sends once the execution is stored; dropped when it was sent. */
	response?: Response;
}

/** About 100 bytes each. */
const MAX_CLAIMS = 10_000;

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

/**
 * The deliveries that this process has accepted. A delivery counts only once n8n has answered that its execution is
 * stored; one that n8n could not store is new when it comes again.
 */
export class DeliveryDeduplicator {
	private readonly claims = new LruMap<Claim>(MAX_CLAIMS);

	/**
	 * Claims a delivery. A concurrent duplicate waits for the first one's outcome, until the deadline (in milliseconds
	 * since 1970). `response` is the one that n8n answers with.
	 */
	async claim(key: string, response: Response, deadline: number): Promise<'new' | 'duplicate' | 'pending'> {
		for (;;) {
			const now = Date.now();
			const earlier = this.claims.get(key);
			if (earlier === undefined || !isWithin(DUPLICATE_MS, earlier.at, now)) break;
			if (earlier.response === undefined || isStored(earlier.response)) return 'duplicate';
			if (earlier.response.writableEnded) break;
			if (now >= deadline) return 'pending';
			const { response: first } = earlier;
			// The caller has its answer, or is gone.
			await beforeDeadline(deadline, new Promise((resolve) => first.once('close', resolve)));
			if (first.destroyed && !first.writableEnded) return 'pending';
		}
		this.record(key, { at: Date.now(), response });
		return 'new';
	}

	private record(key: string, claim: Claim): void {
		this.claims.deleteOldestWhile(({ at }) => !isWithin(DUPLICATE_MS, at, Date.now()));
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
