import type { IHookFunctions } from 'n8n-workflow';

import { isSameUrl } from '../api/subscriptions';
import { assertReachable, unreachableReason } from '../shared/publicUrl';
import { connect } from '../transport/client';
import { asArgyleError } from '../transport/errors';
import { knowSecrets } from './state/knownSecrets';
import { ensureBookmark, newestPosition } from './starts/ensureBookmark';
import { creationTime, dropBookmark } from './state/bookmark';
import { lastRegistration, loadState, saveState } from './state/savedState';
import { catchesUp, readSettings } from './state/settings';
import { readState, writeState } from './state/staticData';
import { desiredSubscription } from './subscription/desiredSubscription';
import {
	idsOf,
	ownSubscriptions,
	reconcile,
	removeAll,
	staysBehind,
	subscriptionMutex,
} from './subscription/reconcile';
import { warnOfStaleSubscription } from './subscription/staleSubscription';
import { rememberedSubscription, rememberRemoval, wasJustRemoved } from './state/subscriptionMemory';
import { CLEAN_UP, PUBLISH, TEST, UNPUBLISH } from './state/timing';
import {
	isNewBeginning,
	isPublishedElsewhere,
	isStart,
	notePublish,
	noteTakenDown,
	triggerMemory,
} from './state/triggerMemory';

/** The URL that n8n gives to this trigger, which holds the node's own webhook ID; another one while it is tested. */
function webhookUrl(context: IHookFunctions): string {
	return context.getNodeWebhookUrl('default') ?? '';
}

/**
 * n8n's `checkExists`. When n8n starts, it only notes the URL and leaves the rest to the watch, because n8n takes the
 * address down when this throws. Otherwise `create` finds out what there is. Never throws.
 */
export async function checkSubscription(context: IHookFunctions): Promise<boolean> {
	if (isStart(context)) {
		triggerMemory(context).publishedUrl = webhookUrl(context);
		return true;
	}
	// Before the first request that can fail, because n8n says `activate` of the first publish only, even if that fails.
	if (isNewBeginning(context)) dropBookmark(context);
	return false;
}

/**
 * n8n's `create`: has exactly the subscription that the parameters ask for send to the trigger's URL. Throws
 * ArgyleError when they ask for none, the service can't be asked, or could not deliver to the URL.
 */
export async function registerSubscription(context: IHookFunctions): Promise<boolean> {
	const settings = readSettings(context);
	const url = webhookUrl(context);
	const isTest = context.getMode() === 'manual';
	const memory = triggerMemory(context);
	if (isTest) memory.testUrl = url;
	const register = async () => {
		const client = await connect(context, isTest ? TEST : PUBLISH);
		assertReachable(url, client.environment);
		const desired = desiredSubscription(settings, url, client.credential);
		const own = wasJustRemoved(url, Date.now()) ? [] : await ownSubscriptions(client, url);
		const { subscription, isNew } = await reconcile(context, client, desired, own);
		if (isTest) return true;
		memory.publishedUrl = url;
		if (catchesUp(settings)) {
			loadState(context);
			const begin = isNew ? async () => ({ time: creationTime(subscription) }) : newestPosition;
			await ensureBookmark(context, client, begin);
		} else dropBookmark(context);
		saveState(context);
		return true;
	};
	const registering = subscriptionMutex.run(url, register);
	return await (isTest ? registering : notePublish(memory, registering));
}

/**
 * n8n's `delete`: removes what sends to the trigger's URL, and nothing else: static data that came along with a copy of
 * n8n names the original's subscription. Throws ArgyleError only when a subscription is known to stay behind, because
 * n8n would not register the trigger at the next activation.
 */
export async function removeSubscription(context: IHookFunctions): Promise<boolean> {
	const url = webhookUrl(context);
	await subscriptionMutex.run(url, async () => {
		const memory = triggerMemory(context);
		// First, whatever becomes of the rest: n8n has closed the address already.
		if (memory.publishedUrl === url) {
			memory.publishedUrl = undefined;
			noteTakenDown(memory);
		}
		if (isPublishedElsewhere(context, url)) {
			context.logger.warn('Another workflow is published with the same webhook URL; its Argyle subscription stays');
		} else await removeOwn(context, url).catch(unlessTested(context, url));
		forgetRegistration(context, url);
	});
	return true;
}

const isTestUrl = (context: IHookFunctions, url: string) => triggerMemory(context).testUrl === url;

/**
 * Only logs the error after a test, because n8n would show it in place of the one with which the test failed. The next
 * test finds what stayed, by its URL.
 */
const unlessTested = (context: IHookFunctions, url: string) => (error: unknown) => {
	if (!isTestUrl(context, url)) throw error;
	context.logger.warn('The Argyle subscription of a test could not be removed; the next test removes it', {
		reason: asArgyleError(error).message,
	});
};

/** Keeps the account, so that no warning names a subscription that is gone. */
function forgetRegistration(context: IHookFunctions, url: string): void {
	const last = lastRegistration(context);
	if (last === undefined || !isSameUrl(last.url, url)) return;
	const { account, environment } = last;
	const memory = triggerMemory(context);
	memory.registered = { url, account, environment };
	const staticData = context.getWorkflowStaticData('node');
	writeState(staticData, { ...readState(staticData), registered: memory.registered });
}

/**
 * The list of subscriptions is read only when this process does not know the one, because n8n also calls `delete` while
 * it publishes a changed trigger, and events are lost meanwhile.
 */
async function removeOwn(context: IHookFunctions, url: string): Promise<void> {
	const isTest = isTestUrl(context, url);
	const registered = isTest ? undefined : lastRegistration(context);
	const remembered = rememberedSubscription(url);
	let known = remembered ?? (isSameUrl(registered?.url, url) ? registered?.id : undefined);
	function unlessKnown(error: unknown): undefined {
		if (known !== undefined) throw staysBehind(known, error);
		context.logger.warn(`Argyle could not be asked whether it has a webhook subscription to ${url}`, {
			reason: asArgyleError(error).message,
		});
	}
	const client = await connect(context, known === undefined || isTest ? CLEAN_UP : UNPUBLISH).catch(unlessKnown);
	if (client === undefined) return;
	// Nothing can have been registered there.
	if (known === undefined && unreachableReason(url, client.environment) !== undefined) return;
	if (remembered === undefined || !(await removeAll(client, [remembered]))) {
		if (remembered !== undefined) known = undefined;
		const own = await ownSubscriptions(client, url).catch(unlessKnown);
		if (own === undefined) return;
		await removeAll(client, idsOf(own));
		warnOfStaleSubscription(context.logger, registered, { url, account: client.keyDigest }, own);
	}
	rememberRemoval(url, Date.now());
	knowSecrets(context, url, []);
}
