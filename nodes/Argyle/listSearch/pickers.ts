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
	// Several entries may have the same name. The label adds what tells them apart: another kind than employer, and a
	// payroll system that is unknown or doesn't work.
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

/** The end of the URL that n8n gives to a trigger: its webhook ID, and the path of its one webhook. */
const TRIGGER_PATH = /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/webhook$/;

/**
 * Says whether an Argyle Trigger has made the subscription. This goes first in the line, because n8n shows only some
 * fifty characters. n8n's editor and its webhooks can have different addresses, so a trigger with another address may
 * belong to this n8n too.
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

/** Shows what the person wrote, because a form's record doesn't say who the person is. */
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

/** Argyle can look up a user by ID and by exact External ID only. */
async function findUsers(client: ArgyleClient, text: string): Promise<IDataObject[]> {
	if (isUuid(text)) return await findById(client, text);
	return (await fetchPage(client, listOf(USERS), { external_id: text, limit: MAX_PAGE_SIZE })).records;
}

export const searchUsers = listSearch(() => ({
	list: listOf(USERS),
	// Without the personal numbers of the record (`ssn`, `birth_date`).
	label: (user) => joined([fullName(user), user.email, user.external_id, listed(user.employers_connected)]),
	find: findUsers,
	notAllSearched: 'Not all users were searched. If yours is missing, search for its complete External ID or ID.',
}));
