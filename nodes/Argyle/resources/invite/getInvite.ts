import { getRecord } from '../../api/records';
import { INVITES } from '../../api/invites';
import { inviteIdField } from '../../shared/fields';
import { readChosenId, readId } from '../../shared/parameters';
import type { Operation } from '../operation';
import { readOutput, simplifyField, toItems } from '../records/recordOutput';

export const getInvite: Operation = {
	value: 'get',
	name: 'Get',
	action: 'Get an invite',
	description: 'Get an invite, with how far the person has come',
	effect: 'reads',
	fields: [inviteIdField, simplifyField],
	async execute(context, itemIndex, call) {
		const id = readChosenId(context, itemIndex, inviteIdField, readId);
		const output = readOutput(context, itemIndex, INVITES);
		const client = await call.connect();
		return toItems([output(await getRecord(client, INVITES, id))]);
	},
};
