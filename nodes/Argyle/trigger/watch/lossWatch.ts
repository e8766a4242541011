import type { Subscription } from '../../api/subscriptions';
import type { ArgyleClient } from '../../transport/client';
import { SCAN_REACH_MS } from '../state/timing';
import type { Watched } from '../state/watched';
import { reportLoss, reportTooOld, unfoundEvents } from './reportLoss';

/** Tells a person of what Argyle has sent and n8n has not received. */
export class LossWatch {
	/** When the last look was, by Argyle's clock. Before the first one, the last look before n8n's stop. */
	lookedAt: number | undefined;

	private isFirst = true;

	private readonly watched: Watched;

	constructor(watched: Watched) {
		this.watched = watched;
		const { trigger } = watched;
		// In a process that knows since when events count, n8n was not stopped.
		this.lookedAt = trigger.wish.isUnread ? trigger.ownSaved.lookedAt : undefined;
	}

	/** Returns whether a call may have been missed, so that a scan is worthwhile. */
	look(client: ArgyleClient, { last_sent_at: lastSentAt }: Subscription): boolean {
		const { watched, isFirst, lookedAt } = this;
		const offsetMs = client.toServiceTime(0);
		const now = Date.now() + offsetMs;
		const sent = Date.parse(String(lastSentAt));
		const sentAt = Number.isNaN(sent) ? -Infinity : sent;
		this.isFirst = false;
		this.lookedAt = now;
		if (isFirst && lookedAt !== undefined) this.logStop(lookedAt, now);
		reportTooOld(watched, lookedAt);
		const { witness } = watched.trigger;
		const before = isFirst && lookedAt !== undefined ? witness.lossBefore(lookedAt, sentAt, offsetMs) : undefined;
		const { loss = before, isNews } = witness.look(sentAt, Date.now(), offsetMs, lookedAt);
		reportLoss(watched, loss, now - SCAN_REACH_MS);
		return isNews;
	}

	private logStop(lookedAt: number, now: number): void {
		const { context, settings } = this.watched;
		const unfound = unfoundEvents(settings);
		const [from, to] = [lookedAt, now].map((time) => new Date(time).toISOString());
		const events = unfound.length === 0 ? 'Missed events are found again' : `Not found again: ${unfound.join(', ')}`;
		context.logger.info(`The Argyle Trigger did not look from ${from} to ${to}. ${events}`);
	}
}
