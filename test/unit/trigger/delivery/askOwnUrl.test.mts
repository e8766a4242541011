import { setImmediate as turn } from 'node:timers/promises';
import type { ITriggerFunctions } from 'n8n-workflow';
import { askOwnUrl } from '../../../../nodes/Argyle/trigger/delivery/askOwnUrl';

it.each([
	['of one workflow call their URLs one after the other, because n8n saves its static data as a whole', 'W1', 1],
	['of two workflows call theirs at the same time', 'W2', 2],
])('two triggers %s', async (_which, otherWorkflow, expected) => {
	let open = 0;
	let mostOpen = 0;
	async function httpRequest() {
		mostOpen = Math.max(mostOpen, ++open);
		await turn();
		open--;
	}
	const ask = async (id: string) => {
		const context: Pick<ITriggerFunctions, 'getWorkflow'> & { helpers: object } = {
			getWorkflow: () => ({ id, active: true }),
			helpers: { httpRequest },
		};
		const own = { url: 'https://n8n.test', secret: 's' };
		await Reflect.apply(askOwnUrl, undefined, [context, own, { keys: [], taken: [], state: {} }]);
	};
	await Promise.all([ask('W1'), ask(otherWorkflow)]);
	expect(mostOpen).toBe(expected);
});
