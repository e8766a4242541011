import type { IHookFunctions, ITriggerFunctions } from 'n8n-workflow';

import { deriveSecret } from '../api/secret';
import { isSameUrl, type Subscription } from '../api/subscriptions';
import { type ArgyleClient, connect } from '../transport/client';
import { asArgyleError } from '../transport/errors';
import { KeyedMutex } from '../utils/concurrency';
import { desiredSubscription } from './subscription/desired';
import { warnOfLeftSubscription } from './subscription/orphan';
import { findDesired, idsOf, ownSubscriptions, removeAll, replaceSubscriptions, staysBehind } from './subscription/reconcile';
import { assertReachable, unreachableReason } from './subscription/publicUrl';
import { bookmarkIn, creationTime, lastRegistration, registrationOf } from './forms/bookmark';
import { readState, writeState } from './staticData';
import { deliverTestForm } from './testDelivery';
import {
	isPublishedElsewhere,
	rememberedSubscription,
	rememberRemoval,
	rememberSubscription,
	triggerMemory,
	wasJustRemoved,
} from './triggerMemory';

/**
 * Long enough to outlast a service that is away for a minute, because n8n's own five tries take 15 s and are its last.
 * Short enough to end before n8n aborts the publication with an error of its own, after 84 s (0.7 of its lease of 120
 * s); 23 s are left for n8n's other four tries and the pauses between them.
 */
export const PUBLISH_TIMING = { timeoutMs: 10_000, maxElapsedMs: 61_000, minTimeoutMs: 1_000 };

/** A person is looking at the screen. */
const TEST_TIMING = { timeoutMs: 10_000, maxElapsedMs: 15_000, minTimeoutMs: 1_000 };

/** Nothing is known to be there; and after a test that failed, n8n keeps its error back until this has ended. */
const PRECAUTION_TIMING = { timeoutMs: 5_000, maxElapsedMs: 10_000, minTimeoutMs: 1_000 };

/** The hooks and the watch change the subscriptions to a URL one after the other. */
export const subscriptionMutex = new KeyedMutex();

/** The URL that n8n gives to this trigger, which holds the node's own webhook ID; another one while it is tested. */
function ownUrl(context: IHookFunctions): string {
	return context.getNodeWebhookUrl('default') ?? '';
}

const isTest = (context: IHookFunctions) => context.getMode() === 'manual';

/** Whether n8n starts, and not a person publishes. */
export const isStart = (context: IHookFunctions | ITriggerFunctions) =>
	['init', 'leadershipChange'].includes(context.getActivationMode());

async function connectToRegister(context: IHookFunctions, url: string) {
	if (isTest(context)) triggerMemory(context).testUrl = url;
	const client = await connect(context, isTest(context) ? TEST_TIMING : PUBLISH_TIMING);
	assertReachable(url, client.environment);
	const request = desiredSubscription(context, url);
	return { client, desired: { request, secret: deriveSecret(client.credential, url) } };
}

/** What the watch and the next activation go by. A test leaves no traces in them. */
function storeRegistration(
	context: IHookFunctions,
	client: ArgyleClient,
	url: string,
	subscription: Subscription,
	bookmark: number,
): void {
	if (isTest(context)) return;
	const registered = registrationOf(client, url, subscription);
	Object.assign(triggerMemory(context), { publishedUrl: url, registered, bookmark });
	const staticData = context.getWorkflowStaticData('node');
	writeState(staticData, { ...readState(staticData), registered, bookmark });
}

/**
 * From when on forms start the workflow. A changed trigger goes on where it was; what was submitted before the first
 * publish, or while the workflow was unpublished, is left out.
 */
function knownBookmark(
	context: IHookFunctions,
	client: ArgyleClient,
	own: Subscription[],
	kept?: Subscription,
): number | undefined {
	if (context.getActivationMode() === 'activate') return undefined;
	const { bookmark } = readState(context.getWorkflowStaticData('node'));
	const last = lastRegistration(context);
	return bookmarkIn(client, last, own, kept, triggerMemory(context).bookmark ?? bookmark);
}

/**
 * n8n's `checkExists`: whether the desired subscription exists; removes others to the same URL. When n8n starts, it
 * only notes the URL and leaves the rest to the watch, because n8n takes the address down when this throws. Throws
 * ArgyleError when the service can't be asked, or could not deliver to the URL.
 */
export async function checkSubscription(context: IHookFunctions): Promise<boolean> {
	const url = ownUrl(context);
	if (isStart(context)) {
		triggerMemory(context).publishedUrl = url;
		return true;
	}
	return await subscriptionMutex.run(url, async () => {
		const { client, desired } = await connectToRegister(context, url);
		if (wasJustRemoved(url, Date.now()) || context.getActivationMode() === 'activate') return false;
		const own = await ownSubscriptions(client, url);
		const kept = findDesired(own, desired);
		const bookmark = knownBookmark(context, client, own, kept) ?? (isTest(context) ? 0 : undefined);
		// Without a bookmark, a new subscription tells from when on forms count.
		if (kept === undefined || bookmark === undefined) return false;
		await removeAll(
			client,
			idsOf(own).filter((id) => id !== kept.id),
		);
		rememberSubscription(url, kept.id);
		storeRegistration(context, client, url, kept, bookmark);
		if (isTest(context)) await deliverTestForm(context, client, desired);
		return true;
	});
}

/** n8n's `create`: registers the subscription in place of all others to its URL. Throws ArgyleError. */
export async function registerSubscription(context: IHookFunctions): Promise<boolean> {
	const url = ownUrl(context);
	return await subscriptionMutex.run(url, async () => {
		const { client, desired } = await connectToRegister(context, url);
		const replaced = wasJustRemoved(url, Date.now()) ? [] : await ownSubscriptions(client, url);
		const { created, mayHaveDuplicate } = await replaceSubscriptions(client, desired, replaced, context.logger);
		rememberSubscription(url, mayHaveDuplicate ? undefined : created.id);
		warnOfLeftSubscription(context.logger, lastRegistration(context), { url, account: client.account }, replaced);
		const bookmark = knownBookmark(context, client, replaced) ?? creationTime(created);
		storeRegistration(context, client, url, created, bookmark);
		if (isTest(context)) await deliverTestForm(context, client, desired);
		return true;
	});
}

/**
 * n8n's `delete`: removes what sends to the trigger's URL, and nothing else: static data that came along with a copy of
 * n8n names the original's subscription. Throws ArgyleError only when a subscription is known to stay behind, because
 * n8n would not register the trigger at the next activation.
 */
export async function removeSubscription(context: IHookFunctions): Promise<boolean> {
	const url = ownUrl(context);
	await subscriptionMutex.run(url, async () => {
		if (isPublishedElsewhere(context, url)) {
			context.logger.warn('Another workflow is published with the same webhook URL; its Argyle subscription stays');
		} else await removeOwn(context, url).catch(unlessTested(context, url));
	});
	forgetRegistration(context, url);
	return true;
}

/** n8n would show it in place of the error with which a test failed. The next test finds what stayed, by its URL. */
const unlessTested = (context: IHookFunctions, url: string) => (error: unknown) => {
	if (triggerMemory(context).testUrl !== url) throw error;
	context.logger.warn('The Argyle subscription of a test could not be removed; the next test removes it', {
		reason: asArgyleError(error).message,
	});
};

/** The account stays, because the bookmark is one of its times. */
function forgetRegistration(context: IHookFunctions, url: string): void {
	const memory = triggerMemory(context);
	if (memory.publishedUrl === url) memory.publishedUrl = undefined;
	const last = lastRegistration(context);
	if (last === undefined || !isSameUrl(last.url, url)) return;
	const { account, environment } = last;
	memory.registered = { url, account, environment };
	const staticData = context.getWorkflowStaticData('node');
	writeState(staticData, { ...readState(staticData), registered: memory.registered });
}

/**
 * The list of subscriptions is read only when this process does not know the one, because n8n also calls `delete` while
 * it publishes a changed trigger, and events are lost meanwhile.
 */
async function removeOwn(context: IHookFunctions, url: string): Promise<void> {
	const registered = lastRegistration(context);
	const remembered = rememberedSubscription(url);
	let known = remembered ?? (isSameUrl(registered?.url, url) ? registered?.id : undefined);
	function unlessKnown(error: unknown): undefined {
		if (known !== undefined) throw staysBehind(known, error);
		context.logger.warn(`Argyle could not be asked whether it has a webhook subscription to ${url}`, {
			reason: asArgyleError(error).message,
		});
	}
	const isHurried = known === undefined || triggerMemory(context).testUrl === url;
	const client = await connect(context, isHurried ? PRECAUTION_TIMING : PUBLISH_TIMING).catch(unlessKnown);
	if (client === undefined) return;
	// Nothing can have been registered there.
	if (known === undefined && unreachableReason(url, client.environment) !== undefined) return;
	if (remembered === undefined || !(await removeAll(client, [remembered]))) {
		if (remembered !== undefined) known = undefined;
		const own = await ownSubscriptions(client, url).catch(unlessKnown);
		if (own === undefined) return;
		await removeAll(client, idsOf(own));
		warnOfLeftSubscription(context.logger, registered, { url, account: client.account }, own);
	}
	rememberRemoval(url, Date.now());
}
