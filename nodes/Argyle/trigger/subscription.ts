import type { IHookFunctions } from 'n8n-workflow';
import { randomBytes } from 'node:crypto';

import { type ArgyleClient, connect } from '../api/client';
import { ArgyleError, asArgyleError } from '../api/errors';
import type { SubscriptionRequest } from '../api/subscriptionRequest';
import {
	createSubscription,
	ensureDeleted,
	findSubscription,
	type Subscription,
	subscriptionsTo,
} from '../api/webhooks';
import { isSecret, ourUrls, readState, retire, type TriggerState, writeState } from './state';
import { fits, wantedSubscription } from './wanted';

/** A hanging answer must not hold an activation: n8n sets no bound of its own. */
const TIMEOUT_MS = 10_000;

const SECRET_BYTES = 32;

function remember(context: IHookFunctions, state: TriggerState): void {
	writeState(context.getWorkflowStaticData('node'), state);
}

/**
 * n8n's `checkExists`: whether the subscription that this trigger wants is there. Looked for by the remembered id,
 * else by its URL, in which n8n puts the node's own id: whatever sends there is ours. One found by its URL is adopted
 * with its secret, which the service shows to its owner; twins of it are removed. False means that `create` is to
 * make it. Throws ArgyleError when the service can't be asked.
 */
export async function checkSubscription(context: IHookFunctions): Promise<boolean> {
	const wanted = wantedSubscription(context);
	const state = readState(context.getWorkflowStaticData('node'));
	const client = await connect(context, { timeoutMs: TIMEOUT_MS });

	if (state.subscriptionId !== undefined && state.secret !== undefined) {
		const remembered = await findSubscription(client, state.subscriptionId);
		if (remembered !== undefined && remembered.secret === state.secret && fits(remembered, wanted)) return true;
	}
	const ours = await subscriptionsTo(client, [wanted.url]);
	const kept = ours.filter(hasSecret).find((subscription) => fits(subscription, wanted));
	if (kept === undefined) return false;
	await removeAll(
		client,
		idsOf(ours, state).filter((id) => id !== kept.id),
	);
	const { retired } = state.secret === kept.secret ? state : retire(state, Date.now());
	remember(context, { subscriptionId: kept.id, url: wanted.url, secret: kept.secret, retired });
	return true;
}

/**
 * n8n's `create`: registers the subscription with a new secret and removes what it replaces. The new one comes first,
 * so that no event falls between; when the old one can't be removed, the new one is undone. Throws ArgyleError;
 * nothing is remembered then.
 */
export async function registerSubscription(context: IHookFunctions): Promise<boolean> {
	const wanted = wantedSubscription(context);
	const state = readState(context.getWorkflowStaticData('node'));
	const client = await connect(context, { timeoutMs: TIMEOUT_MS });

	const replaced = idsOf(await subscriptionsTo(client, ourUrls(state, wanted.url)), state);
	const secret = randomBytes(SECRET_BYTES).toString('hex');
	const created = await createOnce(client, wanted, secret, replaced);
	const obstacle = await removeAll(client, replaced).catch((error: unknown) => error);
	if (obstacle !== undefined) {
		await undo(context, client, created.id);
		throw obstacle;
	}
	const { retired } = retire(state, Date.now());
	remember(context, { subscriptionId: created.id, url: wanted.url, secret, retired });
	return true;
}

/**
 * n8n's `delete`: removes the subscription, and whatever else sends to its URL. One that is gone already is a
 * success. The secret goes on verifying for the overlap, because n8n also calls this while a changed trigger is
 * published again. Throws ArgyleError naming the subscription that stays behind; its id is kept, so that the next
 * attempt or activation removes it.
 */
export async function removeSubscription(context: IHookFunctions): Promise<boolean> {
	const state = readState(context.getWorkflowStaticData('node'));
	const client = await connect(context, { timeoutMs: TIMEOUT_MS });
	if (state.subscriptionId !== undefined) await removeAll(client, [state.subscriptionId]);
	remember(context, { ...retire(state, Date.now()), url: state.url });
	const leftBehind = await subscriptionsTo(client, ourUrls(state, context.getNodeWebhookUrl('default')));
	await removeAll(client, idsOf(leftBehind));
	remember(context, retire(state, Date.now()));
	return true;
}

const hasSecret = (subscription: Subscription): subscription is Subscription & { secret: string } =>
	isSecret(subscription.secret);

function idsOf(subscriptions: Subscription[], state?: TriggerState): string[] {
	const remembered = state?.subscriptionId === undefined ? [] : [state.subscriptionId];
	return [...new Set([...remembered, ...subscriptions.map(({ id }) => id)])];
}

/** Removes subscriptions one by one. Throws ArgyleError naming the first that stays behind. */
async function removeAll(client: ArgyleClient, ids: string[]): Promise<void> {
	for (const id of ids) {
		await ensureDeleted(client, id).catch((error: unknown) => {
			throw staysBehind(id, error);
		});
	}
}

function staysBehind(id: string, error: unknown): ArgyleError {
	const { message, description, statusCode } = asArgyleError(error);
	return new ArgyleError(
		message,
		`The webhook subscription ${id} stays at Argyle for now. ${description} Publishing the workflow again removes it, and so does the Argyle Console under Developers > Webhooks.`,
		{ statusCode },
	);
}

/**
 * Creates the subscription exactly once. When the answer is lost, the service is asked whether it was made, by the
 * secret that nobody else knows, rather than asked to make it again. A service that refuses a second subscription to
 * one URL gets rid of the replaced ones first.
 */
async function createOnce(
	client: ArgyleClient,
	wanted: SubscriptionRequest,
	secret: string,
	replaced: string[],
): Promise<Subscription> {
	const create = async () => await createSubscription(client, wanted, secret);
	return await create().catch(async (caught: unknown) => {
		const error = asArgyleError(caught);
		if (error.mayHaveBeenDone) {
			const ours = await subscriptionsTo(client, [wanted.url]);
			const made = ours.find((subscription) => subscription.secret === secret);
			if (made !== undefined) return made;
		}
		if (!isConflict(error) || replaced.length === 0) throw error;
		await removeAll(client, replaced);
		return await create();
	});
}

/**
 * Whether Argyle allows one subscription a URL only is not documented; these are the ways in which such a service
 * would say so.
 */
function isConflict({ statusCode, description }: ArgyleError): boolean {
	return statusCode === 409 || (statusCode === 400 && /already|unique|duplicate/i.test(description));
}

/** Removes a subscription that was made in vain. When that fails too, the next activation finds it by its URL. */
async function undo(context: IHookFunctions, client: ArgyleClient, id: string): Promise<void> {
	await ensureDeleted(client, id).catch((error: unknown) => {
		context.logger.warn(`The Argyle subscription ${id} could not be undone; the next activation removes it`, {
			reason: String(error),
		});
	});
}
