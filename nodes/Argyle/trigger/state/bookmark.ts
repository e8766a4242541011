import type { Subscription } from '../../api/subscriptions';
import type { ArgyleClient } from '../../transport/client';
import { type Bookmark, readState, writeState } from './staticData';
import { type TriggerContext, triggerMemory } from './triggerMemory';
import type { Position } from './knownForms';

/** The further one of two bookmarks of one trigger in one account; else the first, which is known better. */
export function furthest(one: Bookmark | undefined, other: Bookmark | undefined): Bookmark | undefined {
	if (one === undefined || other === undefined) return one ?? other;
	if (one.account !== other.account || one.node !== other.node) return one;
	const isFurther = other.time > one.time || (other.time === one.time && String(other.form) > String(one.form));
	return isFurther ? other : one;
}

/**
 * Forgets from when on forms count, in memory and static data: the workflow begins anew, or nobody wants the forms that
 * are missed. Never throws, so that it comes before what may fail.
 */
export function dropBookmark(context: TriggerContext): void {
	const memory = triggerMemory(context);
	Object.assign(memory, { bookmark: undefined, hasReadState: true });
	memory.forms.startAt({ time: -Infinity });
	const staticData = context.getWorkflowStaticData('node');
	writeState(staticData, { ...readState(staticData), bookmark: undefined, startedForms: [] });
}

export function beginBookmark(context: TriggerContext, { keyDigest: account }: ArgyleClient, position: Position): void {
	const memory = triggerMemory(context);
	memory.bookmark = { ...position, account, node: context.getNode().id };
	memory.hasReadState = true;
	memory.forms.startAt(position);
}

/**
 * Whether there is a bookmark that counts in the client's account. Another key of the same account is known by what it
 * shows, such as the subscription that was registered last. A bookmark of another account is dropped.
 */
export async function hasBookmark(
	context: TriggerContext,
	client: ArgyleClient,
	isSameAccount: () => Promise<boolean>,
): Promise<boolean> {
	const { bookmark } = triggerMemory(context);
	if (bookmark === undefined) return false;
	if (bookmark.account === client.keyDigest) return true;
	if (!(await isSameAccount())) {
		dropBookmark(context);
		return false;
	}
	bookmark.account = client.keyDigest;
	// It may have been dropped meanwhile.
	return triggerMemory(context).bookmark === bookmark;
}

/** Moves the bookmark behind the forms that have started the workflow. */
export function moveBookmark(context: TriggerContext): void {
	const { bookmark, forms } = triggerMemory(context);
	if (bookmark !== undefined) Object.assign(bookmark, forms.advance(Date.now()));
}

/** When the service created the subscription, by its own clock. */
export function creationTime({ created_at: createdAt }: Subscription): number {
	const time = Date.parse(String(createdAt));
	return Number.isNaN(time) ? Date.now() : time;
}
