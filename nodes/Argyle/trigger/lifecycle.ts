import type { IHookFunctions } from 'n8n-workflow';
import { randomBytes } from 'node:crypto';

import { findSubscription, type Subscription, subscriptionsTo } from '../api/webhooks';
import { type ArgyleClient, connect } from '../transport/client';
import { ArgyleError } from '../transport/errors';
import { desiredSubscription, matches } from './desiredSubscription';
import { createIdempotently, removeAll, rollback } from './provisioning';
import { unreachableReason } from './publicUrl';
import { RecentRemovals } from './recentRemovals';
import { isSecret, ourUrls, readState, retireSecrets, type TriggerState, writeState } from './staticData';

const SECRET_BYTES = 32;

/**
 * Long enough to outlast a service that is away for a minute, because n8n's own five tries take 15 s and are its last.
 * Short enough to end before n8n aborts the publication with an error of its own, after 84 s (0.7 of its lease of 120
 * s); 23 s are left for n8n's other four tries and the pauses between them.
 */
const PUBLISH_TIMING = { timeoutMs: 10_000, maxElapsedMs: 61_000, minTimeoutMs: 1_000 };

/** A person is looking at the screen. */
const TEST_TIMING = { timeoutMs: 10_000, maxElapsedMs: 15_000 };

const recentRemovals = new RecentRemovals();

function assertReachable(client: ArgyleClient, url: string): void {
	const reason = unreachableReason(url, client.environment);
	if (reason === undefined) return;
	throw new ArgyleError(
		`Argyle can't reach this n8n at ${url}`,
		`${reason} Set n8n's WEBHOOK_URL to the public https address under which n8n is reached (for a trial, that of a tunnel), and restart n8n. Nothing was sent to Argyle.`,
	);
}

async function connectToRegister(context: IHookFunctions, url: string): Promise<ArgyleClient> {
	const client = await connect(context, context.getMode() === 'manual' ? TEST_TIMING : PUBLISH_TIMING);
	assertReachable(client, url);
	return client;
}

function storeState(context: IHookFunctions, state: TriggerState): void {
	writeState(context.getWorkflowStaticData('node'), state);
}

/**
 * n8n's `checkExists`: whether the desired subscription exists. It is searched by the stored id, else by the trigger's
 * URL, which contains the node's own id: whatever sends there is ours. One found by its URL is adopted with its secret,
 * which the service shows to its owner; duplicates of it are removed. Throws ArgyleError when the service can't be
 * asked, or could not deliver to the URL.
 */
export async function checkSubscription(context: IHookFunctions): Promise<boolean> {
	const desired = desiredSubscription(context);
	const state = readState(context.getWorkflowStaticData('node'));
	if (recentRemovals.wasJustRemoved(desired.url, Date.now())) return false;
	const client = await connectToRegister(context, desired.url);

	if (state.subscriptionId !== undefined && state.secret !== undefined && !state.mayHaveDuplicate) {
		const stored = await findSubscription(client, state.subscriptionId);
		if (stored !== undefined && stored.secret === state.secret && matches(stored, desired)) return true;
	}
	const ours = await subscriptionsTo(client, [desired.url]);
	const matching = ours.filter((subscription) => isSecret(subscription.secret) && matches(subscription, desired));
	const kept = matching.find(({ id }) => id === state.subscriptionId) ?? matching[0];
	if (kept === undefined || !isSecret(kept.secret)) return false;
	const others = ours.filter(({ id }) => id !== kept.id);
	await removeAll(
		client,
		idsOf(others, state).filter((id) => id !== kept.id),
	);
	const secrets = [state.secret, ...secretsOf(others)].filter((secret) => secret !== kept.secret);
	const retired = retireSecrets(
		[...state.retired, ...recentRemovals.takeRetiredSecrets(desired.url, Date.now())],
		secrets,
		Date.now(),
	);
	storeState(context, { subscriptionId: kept.id, url: desired.url, secret: kept.secret, retired });
	return true;
}

/**
 * n8n's `create`: registers the subscription with a new secret, then removes what it replaces, so that no event is lost
 * in between. When the old one can't be removed, the new one is rolled back. Throws ArgyleError; nothing is stored
 * then.
 */
export async function registerSubscription(context: IHookFunctions): Promise<boolean> {
	const desired = desiredSubscription(context);
	const state = readState(context.getWorkflowStaticData('node'));
	const client = await connectToRegister(context, desired.url);

	const secret = randomBytes(SECRET_BYTES).toString('hex');
	const urls = ourUrls(state, desired.url);
	const { created, mayHaveDuplicate } = await createIdempotently(client, desired, secret, urls);
	async function settle(): Promise<void> {
		const others = (await subscriptionsTo(client, urls)).filter(({ id }) => id !== created.id);
		await removeAll(client, idsOf(others, state));
		const secrets = [state.secret, ...secretsOf(others)].filter((other) => other !== secret);
		const retired = retireSecrets(
			[...state.retired, ...recentRemovals.takeRetiredSecrets(desired.url, Date.now())],
			secrets,
			Date.now(),
		);
		storeState(context, {
			subscriptionId: created.id,
			url: desired.url,
			secret,
			mayHaveDuplicate,
			retired,
		});
	}
	await settle().catch(async (obstacle: unknown) => {
		await rollback(context, client, created.id);
		throw obstacle;
	});
	return true;
}

/**
 * n8n's `delete`: removes the subscription, and whatever else sends to its URL. The list of subscriptions is read only
 * when something does not add up, because n8n also calls this while it publishes a changed trigger, and events are lost
 * meanwhile. The secret verifies for a while longer. Throws ArgyleError naming the subscription that stays behind; its
 * id is kept, so that the next try or activation removes it.
 */
export async function removeSubscription(context: IHookFunctions): Promise<boolean> {
	const state = readState(context.getWorkflowStaticData('node'));
	const current = context.getNodeWebhookUrl('default');
	const client = await connect(context, PUBLISH_TIMING);
	if (state.subscriptionId === undefined && client.isRetryBudgetSpent()) {
		context.logger.info('Argyle is away; whether a subscription is left is looked at with the next activation');
		return true;
	}
	const hadIt = state.subscriptionId !== undefined && (await removeAll(client, [state.subscriptionId]));
	const retired = retireSecrets(state.retired, [state.secret], Date.now());
	if (!hadIt || state.mayHaveDuplicate) {
		storeState(context, { url: state.url, mayHaveDuplicate: state.mayHaveDuplicate, retired });
		await removeAll(client, idsOf(await subscriptionsTo(client, ourUrls(state, current))));
	}
	storeState(context, { retired });
	for (const url of ourUrls(state, current)) recentRemovals.record(url, { retired, at: Date.now() });
	return true;
}

const secretsOf = (subscriptions: Subscription[]) => subscriptions.map(({ secret }) => secret);

function idsOf(subscriptions: Subscription[], state?: TriggerState): string[] {
	const stored = state?.subscriptionId === undefined ? [] : [state.subscriptionId];
	return [...new Set([...stored, ...subscriptions.map(({ id }) => id)])];
}
