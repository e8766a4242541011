import { randomUUID } from 'node:crypto';
import type { Fault } from '../support/fakeArgyle/index.mts';
import type { FullExecution } from '../support/n8n/execution.mts';
import { argyleNode, generateReceipt, inARow, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';
import { until } from '../support/n8n/until.mts';
import type { FaultCase } from './faultCase.mts';
import type { FaultFixture } from './faultFixture.mts';

/** An hour that the service doesn't mean: it is healthy again at once. */
const WAIT_AN_HOUR: Fault = { kind: 'status', status: 429, headers: { 'Retry-After': '3600' } };

/** An execution by hand, with the given number of items for the Argyle node. Returns the end of it. */
async function runWithItems(
	{ client }: FaultFixture,
	count: number,
	node: SavedNode,
): Promise<() => Promise<FullExecution>> {
	const jsCode = `return Array.from({ length: ${count} }, () => ({ json: {} }));`;
	const nodes = [n8nNode('Start', 'manualTrigger'), n8nNode('Items', 'code', { jsCode }, 2), node];
	const workflow = await client.createWorkflow('Many items', nodes, inARow(nodes));
	const id = await client.run(workflow.id, 'Start');
	return async () => {
		await client.waitForExecutions(workflow.id, 1);
		return await client.execution(id ?? '');
	};
}

const readUser = ({ argyle, credential }: FaultFixture): SavedNode => {
	const [user = randomUUID()] = argyle.users.keys();
	const userId = { __rl: true, mode: 'id', value: user };
	return argyleNode(credential, { resource: 'user', operation: 'get', userId, options: {} });
};

const requestsTo = ({ argyle }: FaultFixture, path: string) =>
	argyle.requests.filter((request) => request.path === path);

/** Starts 20 reads, of which the first is refused for an hour. */
async function readBesideHold(fixture: FaultFixture): Promise<() => Promise<FullExecution>> {
	fixture.argyle.addFault({ ...WAIT_AN_HOUR, path: /^\/v2\/users\// });
	const ended = await runWithItems(fixture, 20, readUser(fixture));
	await until('the first read was refused', 120_000, async () =>
		fixture.argyle.requests.some(({ status }) => status === 429) ? true : undefined,
	);
	return ended;
}

/** Starts 600 receipts, which take the account's limit for 14 s. */
async function receiptsOfAccount(fixture: FaultFixture): Promise<() => Promise<FullExecution>> {
	const [user = randomUUID()] = fixture.argyle.users.keys();
	const ended = await runWithItems(fixture, 600, generateReceipt(fixture.credential, user));
	await until('the first receipts were asked for', 120_000, async () =>
		requestsTo(fixture, '/v2/receipts').length > 100 ? true : undefined,
	);
	return ended;
}

/** Publishes, and delivers a form with its record, while the account's other requests wait. */
async function publishAndDeliverBeside(
	fixture: FaultFixture,
	begin: (fixture: FaultFixture) => Promise<() => Promise<FullExecution>>,
): Promise<number> {
	await fixture.changeTrigger({ parameters: { ...fixture.trigger.parameters, includeUserForm: true } });
	const ended = await begin(fixture);
	fixture.startTimer();
	await fixture.publish();
	const publishSeconds = fixture.elapsedSeconds();
	const { form, attempts } = await fixture.argyle.submitForm();
	const seconds = fixture.elapsedSeconds();
	process.stdout.write(`  published in ${publishSeconds} s, delivered in ${seconds - publishSeconds} s\n`);
	expect(attempts.at(-1)).toMatchObject({ status: 200 });
	const [execution] = await fixture.client.waitForExecutions(fixture.workflow.id, 1);
	const { output } = await fixture.client.execution(execution?.id ?? '');
	expect(output['Argyle Trigger']).toMatchObject([{ json: { userForm: { id: form.id } } }]);
	expect(await ended()).toMatchObject({ status: 'success' });
	return seconds;
}

/** What an account's rate limit, used up or overdone, does to everything else that goes on with the account. */
export const throttlingFaults: FaultCase[] = [
	{
		fault: 'Argyle answers one of 20 reads with 429 and Retry-After of an hour',
		needed: 'nothing',
		async run(fixture) {
			const ended = await readBesideHold(fixture);
			fixture.startTimer();
			const { status, output } = await ended();
			expect({ status, count: output.Argyle?.length }).toEqual({ status: 'success', count: 20 });
			return fixture.elapsedSeconds();
		},
	},
	{
		fault: 'a workflow is published and gets a form while 20 reads wait because Argyle asked to wait an hour',
		needed: 'nothing',
		run: async (fixture) => await publishAndDeliverBeside(fixture, readBesideHold),
	},
	{
		fault: 'a workflow is published and gets a form while 600 receipts wait for their turn',
		needed: 'nothing',
		run: async (fixture) => await publishAndDeliverBeside(fixture, receiptsOfAccount),
	},
];
