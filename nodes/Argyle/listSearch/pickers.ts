import type { IDataObject } from 'n8n-workflow';

import { employersLike, isGroup, ITEMS, withoutGroups } from '../api/employers';
import { INVITES } from '../api/invites';
import { fetchPage, MAX_PAGE_SIZE } from '../api/pagination';
import { listOf, USER_FORMS, USERS } from '../api/records';
import { SUBSCRIPTION_LIST } from '../api/subscriptions';
import type { ArgyleClient } from '../transport/client';
import { isId, isItemId, isUuid } from '../utils/ids';
import { isDataObject } from '../utils/json';
import { creation, fullName, joined, listed } from './label';
import { finderById, listSearch, seemsId } from './listSearch';

export const searchEmployers = listSearch(() => ({
	list: listOf(ITEMS),
	isId: isItemId,
	// Several entries may have the same name. To tell them apart, the label says if an entry is not an employer, or if its
	// payroll system is unknown or doesn't work.
	label: ({ name, kind, mapping_status: mapping, status }) =>
		joined([
			name,
			kind === 'employer' ? '' : kind,
			mapping === 'unmapped' ? 'payroll system not known' : '',
			status === 'healthy' ? '' : status,
		]),
	matching: employersLike,
	filterMatches: withoutGroups,
	find: finderById(ITEMS, isItemId),
	isEntry: (item) => isItemId(item.id) && !isGroup(item),
	notAllSearched: 'Not all employers were searched. If yours is missing, choose By ID and enter its ID.',
}));

export const searchInvites = listSearch((context) => ({
	list: listOf(INVITES),
	label: (invite) =>
		joined([
			fullName(invite) || invite.full_name,
			invite.email,
			invite.phone_number,
			invite.status,
			creation(context, invite),
		]),
	find: finderById(INVITES, seemsId),
	isEntry: ({ id }) => isId(id),
	notAllSearched: 'Not all invites were searched. If yours is missing, choose By ID and enter its ID.',
}));

/** The end of the URL that n8n gives to a trigger: the trigger's webhook ID, and the path of its only webhook. */
const TRIGGER_PATH = /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/webhook$/;

/**
 * Says whether an Argyle Trigger has made the subscription. This text comes first in the label, because n8n shows only
 * about fifty characters of it. The editor and the webhooks of an n8n can have different addresses. So a trigger whose
 * URL has another address may belong to this n8n too.
 */
function owner(url: unknown, instanceUrl: string): string {
	if (typeof url !== 'string' || !TRIGGER_PATH.test(url)) return '';
	return url.startsWith(instanceUrl) ? 'Argyle Trigger of this n8n' : 'Argyle Trigger';
}

export const searchSubscriptions = listSearch((context) => ({
	list: SUBSCRIPTION_LIST,
	label: ({ name, url, events }) => joined([owner(url, context.getInstanceBaseUrl()), name, url, listed(events)]),
	notAllSearched: 'Not all subscriptions were searched. If yours is missing, choose By ID and enter its ID.',
}));

/** Returns what the person wrote into the form, because the record doesn't say who the person is. */
function answers({ data }: IDataObject): unknown[] {
	return isDataObject(data) ? [data.income_source, data.payroll_provider] : [];
}

export const searchUserForms = listSearch((context) => ({
	list: listOf(USER_FORMS),
	label: (form) => joined([...answers(form), creation(context, form)]),
	find: finderById(USER_FORMS),
	notAllSearched: 'Not all user forms were searched. If yours is missing, choose By ID and enter its ID.',
}));

const findById = finderById(USERS);

/** Argyle can look up a user only by ID, or by the complete External ID. */
async function findUsers(client: ArgyleClient, text: string): Promise<IDataObject[]> {
	if (isUuid(text)) return await findById(client, text);
	return (await fetchPage(client, listOf(USERS), { external_id: text, limit: MAX_PAGE_SIZE })).records;
}

export const searchUsers = listSearch(() => ({
	list: listOf(USERS),
	// The label leaves out the record's `ssn` and `birth_date`.
	label: (user) => joined([fullName(user), user.email, user.external_id, listed(user.employers_connected)]),
	find: findUsers,
	notAllSearched: 'Not all users were searched. If yours is missing, search for its complete External ID or ID.',
}));
