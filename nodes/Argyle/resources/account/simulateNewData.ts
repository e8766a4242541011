import * as accountActions from '../../api/accountActions';
import { accountIdField } from '../../shared/fields';
import { readChosenId } from '../../shared/parameters';
import { refused } from '../../transport/errors';
import type { Operation } from '../operation';

export const simulateNewData: Operation = {
	value: 'simulateNewData',
	name: 'Simulate New Data',
	action: 'Simulate new data of an account',
	description:
		'Give a connected account of the Sandbox new paystubs and gigs, to test a workflow that starts with them',
	effect: 'changes',
	fields: [accountIdField],
	async execute(context, itemIndex, call) {
		const id = readChosenId(context, itemIndex, accountIdField);
		const client = await call.connect();
		// A custom Base URL may lead to either environment.
		if (client.environment.label === 'Production') {
			throw refused(
				'New data can be simulated only in Sandbox',
				'The credential is set to Production, where the data are those of real people. Choose a credential for Sandbox.',
			);
		}
		await accountActions.simulateNewData(client, call.attemptOf, id);
		return [{ json: { success: true, id } }];
	},
};
