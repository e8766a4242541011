import * as accountActions from '../../api/accountActions';
import { accountIdField } from '../../shared/fields';
import { readChosenId } from '../../shared/parameters';
import type { Operation } from '../operation';

export const disableRefresh: Operation = {
	value: 'disableRefresh',
	name: 'Disable Refresh',
	action: 'Disable the refresh of an account',
	description:
		'End the updates of an account until the person connects anew, which is billed. Argyle has to enable this.',
	effect: 'endsForGood',
	fields: [accountIdField],
	async execute(context, itemIndex, call) {
		const id = readChosenId(context, itemIndex, accountIdField);
		const client = await call.connect();
		await accountActions.disableRefresh(client, call.attemptOf, id);
		return [{ json: { success: true, id } }];
	},
};
