import { INVITES } from '../../api/invites';
import { inviteIdField } from '../../shared/fields';
import type { Operation } from '../operation';
import { getOf } from '../records/getRecords';
import { simplifyField } from '../records/recordOutput';

export const getInvite: Operation = {
	...getOf(INVITES, inviteIdField),
	description: 'Get an invite, with how far the person has come',
	// Nothing in an invite is sensitive.
	fields: [inviteIdField, simplifyField],
};
