import * as accountActions from '../../api/accountActions';
import { accountIdField } from '../../shared/fields';
import { actionOn } from '../records/actionOn';

export const disableRefresh = actionOn(accountIdField, {
	value: 'disableRefresh',
	name: 'Disable Refresh',
	action: 'Disable the refresh of an account',
	description:
		'End the updates of an account until the person connects anew, which is billed. Argyle has to enable this.',
	effect: 'endsForGood',
	async act(client, attemptOf, id) {
		await accountActions.disableRefresh(client, attemptOf, id);
		return { success: true, id };
	},
});
