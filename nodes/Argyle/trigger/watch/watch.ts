import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';

import { ArgyleError, asArgyleError } from '../../transport/errors';
import { clock } from '../../utils/clock';
import { lookAfterSubscription } from './lookAfterSubscription';
import { publishPolling, pollEvents } from './pollEvents';
import { checkedEvents, readSettings, type TriggerSettings } from '../state/settings';
import { ASLEEP_MS, FIRST_LOOK_MS, LOOK_INTERVAL, LOOK_SOON_MS } from '../state/timing';
import { Trigger } from '../state/trigger';
import { reportFailure, Trouble } from './trouble';

/** How many failures in a row bring the next look forward. */
const MAX_SOON = 10;

/** One look: a round of the watch. Returns in how many milliseconds to look again if something is pending. */
type Look = () => Promise<number | undefined>;

/**
 * Looks again and again until the workflow is unpublished. Never throws, because n8n would take the trigger down.
 */
async function lookRepeatedly(
	context: ITriggerFunctions,
	trigger: Trigger,
	look: Look,
	intervalMs: number,
	closed: AbortSignal,
): Promise<void> {
	const { logger } = context;
	const lookTrouble = new Trouble(ASLEEP_MS);
	const listTrouble = new Trouble(ASLEEP_MS);
	const completionTrouble = new Trouble();
	let failures = 0;

	/**
	 * All triggers of the process look at the same time, whenever they were published. Those with one key read together.
	 */
	const untilRegularLook = () => intervalMs - ((clock.uptime() + clock.phaseMs) % intervalMs);

	function succeed(nextDelay?: number): number {
		failures = 0;
		if (lookTrouble.onSuccess()) logger.info('The Argyle Trigger works again');
		return nextDelay ?? untilRegularLook();
	}

	function fail(error: ArgyleError): number {
		if (closed.aborted) return intervalMs;
		const message = `This workflow is published, but Argyle can't start it: ${error.fullMessage}`;
		if (failures++ === 0) logger.warn(message);
		if (lookTrouble.onFailure(error, Date.now())) reportFailure(context, message, error);
		const isSoon = error.details.isTransient && failures <= MAX_SOON;
		return Math.min(isSoon ? LOOK_SOON_MS : Infinity, untilRegularLook());
	}

	function reportListFailure(): void {
		const listFailure = trigger.notes.listFailure.take();
		if (listFailure === undefined) {
			listTrouble.onSuccess();
			return;
		}
		const { list, error } = listFailure;
		const message = `n8n can't read Argyle's list of ${list}, so missed events from that list don't start this workflow: ${error.fullMessage}`;
		if (listTrouble.onFailure(error, Date.now())) reportFailure(context, message, error);
	}

	/**
	 * Reports that events lack their user, or what was written. The items say so too, but perhaps nobody reads them.
	 * Without new events, it reports nothing: a single record that is gone is no lasting trouble.
	 */
	function reportCompletion(): void {
		const completion = trigger.notes.completion.take();
		if (completion === undefined) return;
		const { failure } = completion;
		if (failure === undefined) completionTrouble.onSuccess();
		else if (completionTrouble.onFailure(failure, Date.now()))
			reportFailure(context, `Events start this workflow without user or userForm: ${failure.fullMessage}`, failure);
	}

	let delay = FIRST_LOOK_MS;
	for (;;) {
		await clock.pause(delay, closed);
		if (closed.aborted) return;
		delay = await look().then(succeed, (error: unknown) => fail(asArgyleError(error)));
		reportListFailure();
		reportCompletion();
	}
}

/** Returns the error and does not throw it: when n8n boots, the watch has to go on and report it. */
function tryReadSettings(context: ITriggerFunctions): TriggerSettings | ArgyleError {
	try {
		return readSettings(context);
	} catch (error) {
		return asArgyleError(error);
	}
}

/**
 * Starts the watch, the loop that looks after a published trigger. n8n calls this at each start and publish, but not in
 * a test. All parameters are read before the first `await`, while n8n evaluates their expressions. Throws ArgyleError
 * when a person publishes and Argyle can't be asked for events.
 */
export async function startWatch(context: ITriggerFunctions): Promise<ITriggerResponse> {
	const settings = tryReadSettings(context);
	const closed = new AbortController();
	const isNewLeader = context.getActivationMode() === 'leadershipChange';
	const trigger = isNewLeader ? Trigger.ofNewLeader(context) : Trigger.of(context);
	trigger.load(context);
	const hadSubscription = trigger.subscriptionId !== undefined;
	const isPolling = !(settings instanceof ArgyleError) && settings.isPolling;
	if (!trigger.isBoot(context)) {
		// n8n calls this before the hooks of the same publish, or after them. Whoever comes first decides, because then the
		// trigger is up.
		trigger.goOnOrBegin(isPolling ? checkedEvents(settings.events) : undefined);
		if (isPolling) await publishPolling(context, trigger, settings);
	}
	trigger.publication.beginWatch(closed);
	const lookOf = (): Look => {
		if (settings instanceof ArgyleError) return async () => await Promise.reject<undefined>(settings);
		const watched = { context, trigger, settings, closed: closed.signal };
		return isPolling ? pollEvents(watched, hadSubscription) : lookAfterSubscription(watched);
	};
	const interval = isPolling ? LOOK_INTERVAL.polling : LOOK_INTERVAL.subscription;
	void lookRepeatedly(context, trigger, lookOf(), interval, closed.signal);
	return {
		async closeFunction() {
			trigger.publication.endWatch(closed);
		},
	};
}
