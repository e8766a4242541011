import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { byTime, CREATED_AFTER, UPDATED_AFTER } from '../../api/filters';
import { INVITES } from '../../api/invites';
import { type ListRequest, listRecords } from '../../api/pagination';
import { listOf } from '../../api/records';
import { readEmailAddress } from '../../shared/addresses';
import { idToFind } from '../../shared/idToFind';
import { filtersField, returnAllFields, textField, userIdField } from '../../shared/fields';
import { readLimit, readRequiredText, readTexts } from '../../shared/parameters';
import { readFilterValues } from '../../shared/readFilterValues';
import type { ArgyleClient } from '../../transport/client';
import { refused } from '../../transport/errors';
import { mapInTurns } from '../../utils/eventLoop';
import { shortened } from '../../utils/coerce';
import type { Operation } from '../operation';
import { filterFields, readFilters } from '../records/filterFields';
import { readOutput, simplifyField, toItems } from '../records/recordOutput';

type InviteTest = (invite: IDataObject) => boolean;

/** For each of Argyle's values, the name and the meaning that people read. */
const STATUSES: Record<string, { name: string; description: string }> = {
	attempted: { name: 'Attempted', description: 'A login failed, or a form was submitted' },
	completed: { name: 'Completed', description: 'An account is connected, or a document was uploaded' },
	initiated: { name: 'Initiated', description: 'The link was opened' },
	revoked: { name: 'Revoked', description: 'The link is closed' },
	sent: { name: 'Sent', description: 'Nothing has happened yet' },
};

const invited = (side: 'After' | 'Before') => byTime('Invited', side, 'invited_at', 'that were last sent');

const TIMES = { filters: [CREATED_AFTER, invited('After'), invited('Before'), UPDATED_AFTER] };

const [createdAfterField, invitedAfterField, invitedBeforeField, updatedAfterField] = filterFields(TIMES);

const FILTERS: INodeProperties[] = [
	createdAfterField,
	textField('Email', 'email', 'e.g. name@email.com', 'Only the invites to this address'),
	invitedAfterField,
	invitedBeforeField,
	{
		displayName: 'Status',
		name: 'status',
		type: 'multiOptions',
		default: ['sent'],
		options: Object.entries(STATUSES).map(([value, words]) => ({ ...words, value })),
		description: 'Only the invites with one of these statuses',
	},
	updatedAfterField,
	{ ...userIdField, displayName: 'User', name: 'user', required: false, description: 'Only the invites of this user' },
];

function readStatuses(value: unknown): string {
	const statuses = readTexts(value, 'Status').map((status) => status.toLowerCase());
	const unknown = statuses.find((status) => !Object.hasOwn(STATUSES, status));
	if (unknown === undefined) return statuses.join(',');
	throw refused(
		`There is no status "${shortened(unknown)}" of invites`,
		`The statuses are ${Object.keys(STATUSES).join(', ')}.`,
	);
}

/**
 * Argyle can filter only by status, so the other filters are tests here. Throws ArgyleError when a value can't be read.
 */
function readInviteFilters(
	context: IExecuteFunctions,
	itemIndex: number,
): (client: ArgyleClient) => Promise<ListRequest> {
	const values = readFilterValues(context, itemIndex, FILTERS);
	const { status, email, user } = values;
	const query: IDataObject = {};
	const tests: InviteTest[] = [];
	if (status !== undefined) query.status = readStatuses(status);
	if (email !== undefined) {
		const address = readRequiredText(readEmailAddress(email, 'Email'), 'The filter Email', 'an e-mail address');
		const wanted = address.toLowerCase();
		tests.push((invite) => String(invite.email).toLowerCase() === wanted);
	}
	const { accepts, endsWith } = readFilters(TIMES, values, context.getTimezone());
	if (accepts !== undefined) tests.push(accepts);
	const findUser = user === undefined ? undefined : idToFind(context, user, 'User');
	return async (client) => {
		const id = await findUser?.(client);
		if (id !== undefined) tests.push((invite) => invite.user === id);
		const list = { ...listOf(INVITES), query, endsWith };
		return tests.length === 0 ? list : { ...list, accepts: (invite) => tests.every((test) => test(invite)) };
	};
}

export const getAllInvites: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many invites',
	description: 'Get the invites of the Argyle account, or those that match the filters',
	effect: 'reads',
	fields: [...returnAllFields, filtersField(FILTERS), simplifyField],
	async execute(context, itemIndex, call) {
		const limit = readLimit(context, itemIndex);
		const toList = readInviteFilters(context, itemIndex);
		const output = readOutput(context, itemIndex, INVITES);
		const client = await call.connect();
		return toItems(await mapInTurns(await listRecords(client, await toList(client), limit), output));
	},
};
