import type { ArgyleClient } from '../../transport/client';
import { beginBookmark, hasBookmark } from '../state/bookmark';
import type { Position } from '../state/knownForms';
import { type TriggerContext, triggerMemory } from '../state/triggerMemory';
import { FormList } from './formList';

/** Whether the list is that of the bookmark's account: it shows the bookmark's form, or one that is known. */
export async function showsKnownForm(context: TriggerContext, list: FormList): Promise<boolean> {
	const { bookmark, forms } = triggerMemory(context);
	if (bookmark === undefined) return false;
	await list.readBackTo(bookmark.time);
	return list.forms.some(({ id }) => id === bookmark.form || forms.has(id));
}

/** Begins a bookmark where `begin` says, unless there is one that counts in the client's account, by its forms. */
export async function ensureBookmark(
	context: TriggerContext,
	client: ArgyleClient,
	begin: (list: FormList) => Promise<Position>,
): Promise<void> {
	const list = new FormList(client);
	if (await hasBookmark(context, client, async () => await showsKnownForm(context, list))) return;
	beginBookmark(context, client, await begin(list));
}

/**
 * The place behind the newest form, so that only what is submitted from now on counts; an account without forms starts
 * the workflow with its first.
 */
export async function newestPosition(list: FormList): Promise<Position> {
	const newest = await list.newestForm();
	return newest === undefined ? { time: 0 } : { time: newest.createdAt, form: newest.id };
}
