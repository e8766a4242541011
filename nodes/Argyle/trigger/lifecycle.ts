import type { IHookFunctions } from 'n8n-workflow';
import { randomBytes } from 'node:crypto';

import { type ArgyleClient, connect } from '../transport/client';
import { ArgyleError } from '../transport/errors';
import { unreachableReason } from './publicUrl';
import { findSubscription, type Subscription, subscriptionsTo } from '../api/webhooks';
import { createIdempotently, removeAll, rollback } from './provisioning';
import { RecentRemovals } from './recentRemovals';
import { isSecret, ourUrls, readState, retireSecrets, type TriggerState, writeState } from './staticData';
import { matches, desiredSubscription } from './desiredSubscription';

const SECRET_BYTES = 32;

/**
 * Registering and removing outlast a service that is away for a minute, because n8n's own five tries take 15 s and are its last.
 * It has to end before n8n breaks the publication off, 84 s after its beginning (0.7 of its lease of 120 s): the error is
 * n8n's then, and not in our words. That leaves 23 s for n8n's other four tries and the pauses between them.
 */
const CHANGING = { timeoutMs: 10_000, maxElapsedMs: 61_000, minTimeoutMs: 1_000 };

/** A person is looking at the screen. */
const LISTENING = { timeoutMs: 10_000, maxElapsedMs: 15_000 };

const handovers = new RecentRemovals();

/** Throws ArgyleError, before anything is sent, when Argyle could not deliver to the address anyway. */
function assertReachable(client: ArgyleClient, url: string): void {
	const why = unreachableReason(url, client.environment);
	if (why === undefined) return;
	throw new ArgyleError(
		`Argyle can't reach this n8n at ${url}`,
		`${why} Set n8n's WEBHOOK_URL to the public https address under which n8n is reached (for a trial, that of a tunnel), and restart n8n. Nothing was sent to Argyle.`,
	);
}

async function connectToRegister(context: IHookFunctions, url: string): Promise<ArgyleClient> {
	const client = await connect(context, context.getMode() === 'manual' ? LISTENING : CHANGING);
	assertReachable(client, url);
	return client;
}

function remember(context: IHookFunctions, state: TriggerState): void {
	writeState(context.getWorkflowStaticData('node'), state);
}

/**
 * n8n's `checkExists`: whether the subscription that this trigger wants is there. Looked for by the remembered id,
 * else by its URL, in which n8n puts the node's own id: whatever sends there is ours. One found by its URL is adopted
 * with its secret, which the service shows to its owner; twins of it are removed. False means that `create` is to
 * make it. Throws ArgyleError when the service can't be asked, or couldn't deliver to the address.
 */
export async function checkSubscription(context: IHookFunctions): Promise<boolean> {
	const wanted = desiredSubscription(context);
	const state = readState(context.getWorkflowStaticData('node'));
	if (handovers.wasJustRemoved(wanted.url, Date.now())) return false;
	const client = await connectToRegister(context, wanted.url);

	if (state.subscriptionId !== undefined && state.secret !== undefined && !state.mayHaveDuplicate) {
		const remembered = await findSubscription(client, state.subscriptionId);
		if (remembered !== undefined && remembered.secret === state.secret && matches(remembered, wanted)) return true;
	}
	const ours = await subscriptionsTo(client, [wanted.url]);
	const fitting = ours.filter((subscription) => isSecret(subscription.secret) && matches(subscription, wanted));
	const kept = fitting.find(({ id }) => id === state.subscriptionId) ?? fitting[0];
	if (kept === undefined || !isSecret(kept.secret)) return false;
	const others = ours.filter(({ id }) => id !== kept.id);
	await removeAll(
		client,
		idsOf(others, state).filter((id) => id !== kept.id),
	);
	const secrets = [state.secret, ...secretsOf(others)].filter((secret) => secret !== kept.secret);
	const retired = retireSecrets(
		[...state.retired, ...handovers.takeRetiredSecrets(wanted.url, Date.now())],
		secrets,
		Date.now(),
	);
	remember(context, { subscriptionId: kept.id, url: wanted.url, secret: kept.secret, retired });
	return true;
}

/**
 * n8n's `create`: registers the subscription with a new secret and removes what it replaces. The new one comes first,
 * so that no event falls between; when the old one can't be removed, the new one is undone. Throws ArgyleError;
 * nothing is remembered then.
 */
export async function registerSubscription(context: IHookFunctions): Promise<boolean> {
	const wanted = desiredSubscription(context);
	const state = readState(context.getWorkflowStaticData('node'));
	const client = await connectToRegister(context, wanted.url);

	const secret = randomBytes(SECRET_BYTES).toString('hex');
	const urls = ourUrls(state, wanted.url);
	const { created, mayHaveDuplicate: mayHaveDuplicate } = await createIdempotently(client, wanted, secret, urls);
	async function settle(): Promise<void> {
		const others = (await subscriptionsTo(client, urls)).filter(({ id }) => id !== created.id);
		await removeAll(client, idsOf(others, state));
		const secrets = [state.secret, ...secretsOf(others)].filter((other) => other !== secret);
		const retired = retireSecrets(
			[...state.retired, ...handovers.takeRetiredSecrets(wanted.url, Date.now())],
			secrets,
			Date.now(),
		);
		remember(context, {
			subscriptionId: created.id,
			url: wanted.url,
			secret,
			mayHaveDuplicate: mayHaveDuplicate,
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
 * n8n's `delete`: removes the subscription, and whatever else sends to its URL. One that is gone already is a
 * success. The list is read only when something doesn't add up, because n8n also calls this while a changed trigger is
 * published again, and events get lost until that is done. The secret goes on verifying for the overlap. Throws
 * ArgyleError naming the subscription that stays behind; its id is kept, so that the next attempt or activation
 * removes it.
 */
export async function removeSubscription(context: IHookFunctions): Promise<boolean> {
	const state = readState(context.getWorkflowStaticData('node'));
	const current = context.getNodeWebhookUrl('default');
	const client = await connect(context, CHANGING);
	if (state.subscriptionId === undefined && client.isRetryBudgetSpent()) {
		context.logger.info('Argyle is away; whether a subscription is left is looked at with the next activation');
		return true;
	}
	const hadIt = state.subscriptionId !== undefined && (await removeAll(client, [state.subscriptionId]));
	const retired = retireSecrets(state.retired, [state.secret], Date.now());
	if (!hadIt || state.mayHaveDuplicate) {
		remember(context, { url: state.url, mayHaveDuplicate: state.mayHaveDuplicate, retired });
		await removeAll(client, idsOf(await subscriptionsTo(client, ourUrls(state, current))));
	}
	remember(context, { retired });
	for (const url of ourUrls(state, current)) handovers.record(url, { retired, at: Date.now() });
	return true;
}

const secretsOf = (subscriptions: Subscription[]) => subscriptions.map(({ secret }) => secret);

function idsOf(subscriptions: Subscription[], state?: TriggerState): string[] {
	const remembered = state?.subscriptionId === undefined ? [] : [state.subscriptionId];
	return [...new Set([...remembered, ...subscriptions.map(({ id }) => id)])];
}
