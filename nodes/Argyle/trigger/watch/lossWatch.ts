import type { ITriggerFunctions } from 'n8n-workflow';

import type { Subscription } from '../../api/subscriptions';
import type { ArgyleClient } from '../../transport/client';
import type { TriggerSettings } from '../state/settings';
import { SCAN_REACH_MS } from '../state/timing';
import type { Trigger } from '../state/trigger';
import { reportLoss, reportTooOld, unfoundEvents } from './reportLoss';

/** Tells a person of what Argyle has sent and n8n has not received. */
export class LossWatch {
	/** When the last look was, by Argyle's clock. Before the first one, the last look before n8n's stop. */
	lookedAt: number | undefined;

	private isFirst = true;

	private readonly context: ITriggerFunctions;

	private readonly trigger: Trigger;

	private readonly settings: TriggerSettings;

	constructor(context: ITriggerFunctions, trigger: Trigger, settings: TriggerSettings) {
		this.context = context;
		this.trigger = trigger;
		this.settings = settings;
		// In a process that knows since when events count, n8n was not stopped.
		this.lookedAt = trigger.wish.isUnread ? trigger.ownSaved.lookedAt : undefined;
	}

	/** Returns whether a call may have been missed, so that a scan is worthwhile. */
	look(client: ArgyleClient, { last_sent_at: lastSentAt }: Subscription): boolean {
		const { context, settings, trigger, isFirst, lookedAt } = this;
		const offsetMs = client.toServiceTime(0);
		const now = Date.now() + offsetMs;
		const sent = Date.parse(String(lastSentAt));
		const sentAt = Number.isNaN(sent) ? -Infinity : sent;
		this.isFirst = false;
		this.lookedAt = now;
		if (isFirst && lookedAt !== undefined) this.logStop(lookedAt, now);
		reportTooOld(context, settings, trigger, lookedAt);
		const { witness } = trigger;
		const before = isFirst && lookedAt !== undefined ? witness.lossBefore(lookedAt, sentAt, offsetMs) : undefined;
		const { loss = before, isNews } = witness.look(sentAt, Date.now(), offsetMs, lookedAt);
		reportLoss(context, settings, loss, now - SCAN_REACH_MS);
		return isNews;
	}

	private logStop(lookedAt: number, now: number): void {
		const unfound = unfoundEvents(this.settings);
		const [from, to] = [lookedAt, now].map((time) => new Date(time).toISOString());
		const events = unfound.length === 0 ? 'Missed events are found again' : `Not found again: ${unfound.join(', ')}`;
		this.context.logger.info(`The Argyle Trigger did not look from ${from} to ${to}. ${events}`);
	}
}
