import { listOf } from '../api/records';
import { INVITES } from '../api/invites';
import { isId } from '../utils/ids';
import { creation, fullName, joined } from './label';
import { finderById, listSearch, seemsId } from './listSearch';

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
