import * as accountActions from '../../api/accountActions';
import { accountIdField } from '../../shared/fields';
import { refused } from '../../transport/errors';
import { actionOn } from '../records/actionOn';

export const simulateNewData = actionOn(accountIdField, {
	value: 'simulateNewData',
	name: 'Simulate New Data',
	action: 'Simulate new data of an account',
	description:
		'Give a connected account of the Sandbox new paystubs and gigs, to test a workflow that starts with them',
	effect: 'changes',
	async act(client, attemptOf, id) {
		// A custom Base URL may lead to either environment.
		if (client.environment.label === 'Production') {
			throw refused(
				'New data can be simulated only in Sandbox',
				'The credential is set to Production, where the data are those of real people. Choose a credential for Sandbox.',
			);
		}
		await accountActions.simulateNewData(client, attemptOf, id);
		return { success: true, id };
	},
});
