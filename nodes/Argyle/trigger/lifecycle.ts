import type { IHookFunctions } from 'n8n-workflow';

import { subscriptionsTo } from '../api/subscriptions';
import { assertReachable, unreachableReason } from '../shared/publicUrl';
import { connect } from '../transport/client';
import { asArgyleError } from '../transport/errors';
import type { TimeLimits } from '../transport/timeLimits';
import { knowSecrets } from './state/knownSecrets';
import { isSameAccount } from './starts/knownAccount';
import { caughtUpEvents, readSettings, type TriggerSettings } from './state/settings';
import { SubscriptionState } from './state/subscriptionState';
import { CLEAN_UP, PUBLISH, TEST, UNPUBLISH } from './state/timing';
import { Trigger } from './state/trigger';
import { desiredSubscription } from './subscription/desiredSubscription';
import { bindWish, learnWish } from './subscription/learnWish';
import { idsOf, reconcile, removeAll, staysBehind, subscriptionMutex } from './subscription/reconcile';

/** The URL that n8n gives to this trigger. It contains the node's own webhook ID. During a test, it is another URL. */
function webhookUrl(context: IHookFunctions): string {
	return context.getNodeWebhookUrl('default') ?? '';
}

const isTest = (context: IHookFunctions) => context.getMode() === 'manual';

/**
 * n8n's `checkExists`. When n8n boots, this only remembers the URL and leaves the rest to the watch, because n8n takes
 * the address down if this throws. Otherwise this returns false, so that n8n calls `create`, which finds out what there
 * is. Never throws.
 */
export async function checkSubscription(context: IHookFunctions): Promise<boolean> {
	const trigger = Trigger.of(context);
	if (isTest(context)) return false;
	const isBoot = trigger.isBoot(context);
	if (isBoot) trigger.publication.openUrl(webhookUrl(context));
	// This comes before what can fail: if this publish fails, the next one may look like a change.
	else trigger.goOnOrBegin();
	return isBoot;
}

/** Connects, and returns what the parameters ask for. Throws ArgyleError if Argyle could not deliver to the URL. */
async function connectFor(context: IHookFunctions, settings: TriggerSettings, url: string, limits: TimeLimits) {
	const client = await connect(context, limits);
	assertReachable(url, client.environment);
	return { client, desired: desiredSubscription(settings, url, client.credential) };
}

/**
 * n8n's `create`: makes sure that only the subscription that the parameters ask for sends to the trigger's URL. Throws
 * ArgyleError when no subscription can be made of the parameters, when Argyle can't be asked, or when Argyle could not
 * deliver to the URL.
 */
export async function registerSubscription(context: IHookFunctions): Promise<boolean> {
	const settings = readSettings(context);
	const trigger = Trigger.of(context);
	const url = webhookUrl(context);
	if (isTest(context)) trigger.beginTest(context, url);
	else trigger.goOnOrBegin(caughtUpEvents(settings));
	const register = async () =>
		isTest(context) ? await registerTest(context, settings, url) : await publish(context, trigger, settings, url);
	await subscriptionMutex.run(url, register);
	return true;
}

async function registerTest(context: IHookFunctions, settings: TriggerSettings, url: string): Promise<void> {
	const { client, desired } = await connectFor(context, settings, url, TEST);
	await reconcile(context, client, desired, await subscriptionsTo(client, url), false);
}

async function publish(
	context: IHookFunctions,
	trigger: Trigger,
	settings: TriggerSettings,
	url: string,
): Promise<void> {
	const { wish, publication } = trigger;
	const events = caughtUpEvents(settings);
	const { client, desired } = await connectFor(context, settings, url, PUBLISH);
	const isGone = SubscriptionState.to(url).wasJustRemoved(Date.now());
	const own = isGone ? [] : await subscriptionsTo(client, url);
	// A change is published after n8n has booted, and before the first look.
	if (wish.isUnread) learnWish(trigger, client, events, { own });
	else if (!(await isSameAccount(trigger, client, own))) trigger.begin();
	const registered = await reconcile(context, client, desired, own, wish.isNew);
	bindWish(trigger, client, events, registered);
	publication.openUrl(url);
	trigger.save(context);
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
async function endTest(context: IHookFunctions, url: string, trigger: Trigger): Promise<void> {
	trigger.endTest(context);
	await removeOwn(context, url, CLEAN_UP).catch((error: unknown) => {
		context.logger.warn('The Argyle subscription of a test could not be removed; the next test removes it', {
			reason: asArgyleError(error).message,
		});
	});
}

async function unpublish(context: IHookFunctions, url: string, trigger: Trigger): Promise<void> {
	trigger.load(context);
	// This comes first, because n8n has closed the address already.
	trigger.publication.closeUrl(url);
	if (trigger.isPublishedElsewhere(url)) {
		context.logger.warn('Another workflow is published with the same webhook URL; its Argyle subscription stays');
	} else await removeOwn(context, url, UNPUBLISH, trigger);
}

/**
 * Removes the subscriptions to the URL. To save time, it reads the list of subscriptions only if the trigger's own is
 * not known to this process, or is gone: n8n also calls `delete` while it publishes a change, and events are lost
 * meanwhile. `trigger` is the published one. If it has not looked since n8n booted, it first learns since when events
 * count, because the subscription says so.
 */
async function removeOwn(context: IHookFunctions, url: string, limits: TimeLimits, trigger?: Trigger): Promise<void> {
	const state = SubscriptionState.to(url);
	const remembered = state.id;
	let known = remembered;
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
		if (trigger?.wish.isUnread === true) learnWish(trigger, client, caughtUpEvents(readSettings(context)), { own });
		await removeAll(client, idsOf(own));
	}
	state.remove(Date.now());
	knowSecrets(context, url, []);
}
