import type { IHookFunctions } from 'n8n-workflow';

import { isSameUrl, subscriptionsTo } from '../api/subscriptions';
import { assertReachable, unreachableReason } from '../shared/publicUrl';
import { connect } from '../transport/client';
import { asArgyleError } from '../transport/errors';
import type { TimeLimits } from '../transport/timeLimits';
import { knowSecrets } from './state/knownSecrets';
import { creationTime, ensureBookmark, positionNow } from './starts/ensureBookmark';
import { listsOf } from './starts/eventList';
import { caughtUpEvents, readSettings } from './state/settings';
import { SubscriptionState } from './state/subscriptionState';
import { CLEAN_UP, PUBLISH, TEST, UNPUBLISH } from './state/timing';
import { Trigger } from './state/trigger';
import { desiredSubscription } from './subscription/desiredSubscription';
import { idsOf, reconcile, removeAll, staysBehind, subscriptionMutex } from './subscription/reconcile';

/** The URL that n8n gives to this trigger. It contains the node's own webhook ID. During a test, it is another URL. */
function webhookUrl(context: IHookFunctions): string {
	return context.getNodeWebhookUrl('default') ?? '';
}

/**
 * n8n's `checkExists`. At a start of n8n, this only notes the URL and leaves the rest to the watch, because n8n takes
 * the address down if this throws. Otherwise this returns false, so that n8n calls `create`, which finds out what there
 * is. Never throws.
 */
export async function checkSubscription(context: IHookFunctions): Promise<boolean> {
	const trigger = Trigger.of(context);
	if (trigger.isStart(context, false)) {
		trigger.publication.succeed(webhookUrl(context));
		return true;
	}
	// This comes before the first request that can fail: n8n says `activate` only for the first try, even if that fails.
	if (trigger.publication.isNewBeginning(context.getActivationMode())) trigger.beginAnew(context);
	return false;
}

/**
 * n8n's `create`: makes sure that only the subscription that the parameters ask for sends to the trigger's URL. Throws
 * ArgyleError when no subscription can be made of the parameters, when Argyle can't be asked, or when Argyle could not
 * deliver to the URL.
 */
export async function registerSubscription(context: IHookFunctions): Promise<boolean> {
	const settings = readSettings(context);
	const url = webhookUrl(context);
	const isTest = context.getMode() === 'manual';
	const trigger = Trigger.of(context);
	// Another main process may receive the test event. n8n hands that process what the test has put into static data.
	if (isTest) context.getWorkflowStaticData('node').testUrl = trigger.testUrl = url;
	const register = async () => {
		const client = await connect(context, isTest ? TEST : PUBLISH);
		assertReachable(url, client.environment);
		const desired = desiredSubscription(settings, url, client.credential);
		if (!isTest) trigger.load(context);
		const isGone = SubscriptionState.to(url).wasJustRemoved(Date.now());
		const own = isGone ? [] : await subscriptionsTo(client, url);
		const { subscription, isNew } = await reconcile(context, trigger, client, desired, own);
		if (isTest) return true;
		const events = caughtUpEvents(settings);
		if (events.length > 0) {
			const begin = isNew ? async () => ({ time: creationTime(subscription) }) : positionNow;
			await ensureBookmark(trigger, client, listsOf(client, events), events, begin);
		} else trigger.beginAnew(context);
		// The watch waits until the publish has succeeded. Otherwise a look would take the new subscription for one from
		// before this publish, and conclude that the account has not changed.
		trigger.publication.succeed(url);
		trigger.save(context);
		return true;
	};
	if (!isTest) trigger.publication.begin(url);
	return await subscriptionMutex.run(url, register);
}

/**
 * n8n's `delete`: removes only what sends to the trigger's URL. It does not remove what static data names, because in a
 * copy of n8n, static data names the subscription of the original. After an error, n8n would not register the trigger
 * at the next publish. So this throws ArgyleError only when a subscription is known to stay behind.
 */
export async function removeSubscription(context: IHookFunctions): Promise<boolean> {
	const url = webhookUrl(context);
	const trigger = Trigger.of(context);
	const remove = trigger.testUrl === url ? endTest : unpublish;
	await subscriptionMutex.run(url, async () => await remove(context, url, trigger));
	return true;
}

/**
 * Only logs an error, because n8n would show it in place of the one with which the test failed. The next test finds
 * what stayed, by its URL.
 */
async function endTest(context: IHookFunctions, url: string): Promise<void> {
	delete context.getWorkflowStaticData('node').testUrl;
	await removeOwn(context, url, CLEAN_UP).catch((error: unknown) => {
		context.logger.warn('The Argyle subscription of a test could not be removed; the next test removes it', {
			reason: asArgyleError(error).message,
		});
	});
}

async function unpublish(context: IHookFunctions, url: string, trigger: Trigger): Promise<void> {
	// This comes first, because n8n has closed the address already, and saves static data even if Argyle is away.
	trigger.load(context);
	trigger.publication.closeUrl(url);
	trigger.save(context);
	const isRegistered = () => isSameUrl(trigger.registered?.url, url);
	if (trigger.isPublishedElsewhere(url)) {
		context.logger.warn('Another workflow is published with the same webhook URL; its Argyle subscription stays');
	} else await removeOwn(context, url, UNPUBLISH, isRegistered() ? trigger.registered?.id : undefined);
	if (!isRegistered()) return;
	// The URL is kept, because a delivery of the subscription may still be on its way.
	trigger.registered = { url };
	trigger.save(context);
}

/**
 * Removes the trigger's subscription. To save time, it reads the list of subscriptions only if the trigger's own is not
 * known to this process, or is gone: n8n also calls `delete` while it publishes a change, and events are lost
 * meanwhile. `registered` is the ID that static data has.
 */
async function removeOwn(context: IHookFunctions, url: string, limits: TimeLimits, registered?: string): Promise<void> {
	const state = SubscriptionState.to(url);
	const remembered = state.id;
	let known = remembered ?? registered;
	function logIfUnknown(error: unknown): undefined {
		if (known !== undefined) throw staysBehind(known, error);
		context.logger.warn(`Argyle could not be asked whether it has a webhook subscription to ${url}`, {
			reason: asArgyleError(error).message,
		});
	}
	const client = await connect(context, known === undefined ? CLEAN_UP : limits).catch(logIfUnknown);
	if (client === undefined) return;
	// Nothing can have been registered with a URL that Argyle can't reach.
	if (known === undefined && unreachableReason(url, client.environment) !== undefined) return;
	if (remembered === undefined || !(await removeAll(client, [remembered]))) {
		if (remembered !== undefined) known = undefined;
		const own = await subscriptionsTo(client, url).catch(logIfUnknown);
		if (own === undefined) return;
		await removeAll(client, idsOf(own));
	}
	state.remove(Date.now());
	knowSecrets(context, url, []);
}
