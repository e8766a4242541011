import type { Subscription } from '../../api/subscriptions';
import type { ArgyleClient } from '../../transport/client';
import { SCAN_REACH_MS } from '../state/timing';
import type { Watched } from '../state/watched';
import { reportLoss, reportTooOld, unfoundEvents } from './reportLoss';

/** Tells a person of what Argyle has sent and n8n has not received. */
export class LossWatch {
	private lastLookAt: number | undefined;

	/** The last look before n8n was stopped. */
	private readonly stoppedAt: number | undefined;

	private readonly watched: Watched;

	constructor(watched: Watched) {
		this.watched = watched;
		const { trigger } = watched;
		// In a process that knows since when events count, n8n was not stopped.
		this.stoppedAt = trigger.wish.isUnread ? trigger.ownSaved.lookedAt : undefined;
	}

	/** When the last look was, by Argyle's clock. Before the first one, the last look before n8n was stopped. */
	get lookedAt(): number | undefined {
		return this.lastLookAt ?? this.stoppedAt;
	}

	/** Returns whether a call may have been missed, so that a scan is worthwhile. */
	look(client: ArgyleClient, { last_sent_at: lastSentAt }: Subscription): boolean {
		const { watched, lookedAt } = this;
		const stoppedAt = this.lastLookAt === undefined ? this.stoppedAt : undefined;
		const offsetMs = client.toServiceTime(0);
		const now = Date.now() + offsetMs;
		const sent = Date.parse(String(lastSentAt));
		const sentAt = Number.isNaN(sent) ? -Infinity : sent;
		this.lastLookAt = now;
		if (stoppedAt !== undefined) this.logStop(stoppedAt, now);
		reportTooOld(watched, lookedAt);
		const { witness } = watched.trigger;
		const before = stoppedAt === undefined ? undefined : witness.lossBefore(stoppedAt, sentAt, offsetMs);
		const { loss = before, isNews } = witness.look(sentAt, Date.now(), offsetMs, lookedAt);
		reportLoss(watched, loss, now - SCAN_REACH_MS);
		return isNews;
	}

	private logStop(stoppedAt: number, now: number): void {
		const { context, settings } = this.watched;
		const unfound = unfoundEvents(settings);
		const [from, to] = [stoppedAt, now].map((time) => new Date(time).toISOString());
		const events = unfound.length === 0 ? 'Missed events are found again' : `Not found again: ${unfound.join(', ')}`;
		context.logger.info(`The Argyle Trigger did not look from ${from} to ${to}. ${events}`);
	}
}
