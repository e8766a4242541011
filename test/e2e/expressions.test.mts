import { credentialFor } from '../support/fakeArgyle/credential.mts';
import type { FakeArgyle } from '../support/fakeArgyle/index.mts';
import { isJson } from '../support/json.mts';
import type { StoredWorkflow } from '../support/n8n/workflow.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleNode, argyleTrigger, type CredentialRef, inARow, n8nNode } from '../support/n8n/nodes.mts';
import { until } from '../support/n8n/until.mts';

// n8n's default engine evaluates expressions only while n8n calls the trigger. n8n-core's contexts have an older one,
// so that only a real n8n can show what the watch does with them.

let fixture: N8nFixture;
let argyle: FakeArgyle;
let credential: CredentialRef;
/** The same, each field given by an expression. */
let credentialOfExpressions: CredentialRef;

beforeAll(async () => {
	fixture = await startN8nFixture();
	const connection = await fixture.connectArgyle();
	({ argyle, credential } = connection);
	const fields = Object.entries(connection.credentialData).map(([name, value]) => [
		name,
		`={{ ${JSON.stringify(value)}.trim() }}`,
	]);
	credentialOfExpressions = await fixture.client.createCredential(
		'Of expressions',
		'argyleApi',
		Object.fromEntries(fields),
	);
}, 180_000);
afterAll(async () => await fixture.stop());

const FORMS = { events: ['user_forms.submitted'] };

const EACH_CREDENTIAL_FIELD = 'each field of the credential';

/** What is given by an expression, each parameter of the trigger among it. All of the workflows want forms. */
const PARAMETERS: Array<[name: string, parameters: Record<string, unknown>]> = [
	['Events', { events: '={{ ["user_forms.submitted"] }}' }],
	['Items', { events: ['user_forms.submitted', 'items.updated'], items: ['={{ "item_" + "000041078" }}'] }],
	['Include User Form', { ...FORMS, includeUserForm: '={{ true }}' }],
	['Subscription Name', { ...FORMS, options: { subscriptionName: '={{ "Forms of " + $workflow.name }}' } }],
	['Catch Up on Missed Forms', { ...FORMS, options: { catchUp: '={{ 1 === 1 }}' } }],
	[
		'Days Synced',
		{ events: ['user_forms.submitted', 'gigs.partially_synced'], options: { daysSynced: '={{ 45 * 2 }}' } },
	],
	[
		'Include Resource',
		{ events: ['user_forms.submitted', 'accounts.added'], options: { includeResource: '={{ true }}' } },
	],
	['Only From Argyle', { ...FORMS, options: { onlyFromArgyle: '={{ false }}' } }],
	['Skip Duplicates', { ...FORMS, options: { skipDuplicates: '={{ "true" }}' } }],
	[EACH_CREDENTIAL_FIELD, FORMS],
	['Include User Form, with Checking for Forms', { receiveBy: 'polling', includeUserForm: '={{ true }}' }],
];

async function publish([name, parameters]: (typeof PARAMETERS)[number]): Promise<StoredWorkflow> {
	const used = name === EACH_CREDENTIAL_FIELD ? credentialOfExpressions : credential;
	const nodes = [argyleTrigger(used, parameters), n8nNode('Done', 'noOp')];
	const workflow = await fixture.client.createWorkflow(name, nodes, inARow(nodes));
	await fixture.client.publish(workflow);
	return workflow;
}

/** The forms that each workflow has started for, in the order of their executions. */
async function startsOf({ id }: StoredWorkflow): Promise<unknown[]> {
	const executions = (await fixture.client.executions(id)).reverse();
	const full = await Promise.all(executions.map(async (execution) => await fixture.client.execution(execution.id)));
	return full.flatMap(({ output }) =>
		(output['Argyle Trigger'] ?? []).map(({ json }) => isJson(json.data) && json.data.user_form),
	);
}

const urls = () => [...argyle.subscriptions.values()].map(({ url }) => url).sort();

it('with an expression in any parameter or the credential, missed and delivered forms start the workflow, and its subscription comes back', async () => {
	const workflows: StoredWorkflow[] = [];
	for (const parameters of PARAMETERS) workflows.push(await publish(parameters));
	const before = urls();
	expect(before).toHaveLength(PARAMETERS.length - 1);
	const missed: string[] = [];
	await fixture.restart({
		whileStopped() {
			missed.push(argyle.storeForm().form.id);
			argyle.subscriptions.clear();
		},
	});
	await until('all subscriptions are back', 60_000, async () => (urls().length >= before.length ? true : undefined));
	expect(urls()).toEqual(before);
	// A form that is two minutes young may be on its way for half a minute.
	await Promise.all(workflows.map(async ({ id }) => await fixture.client.waitForExecutions(id, 1, 90_000)));
	const { form, attempts } = await argyle.submitForm();
	expect(attempts.map(({ status }) => status)).toEqual(before.map(() => 200));
	// The one that checks for forms does so each minute.
	await Promise.all(workflows.map(async ({ id }) => await fixture.client.waitForExecutions(id, 2, 90_000)));
	const starts = await Promise.all(
		workflows.map(async (workflow, index) => [PARAMETERS[index]?.[0], await startsOf(workflow)]),
	);
	expect(starts).toEqual(PARAMETERS.map(([name]) => [name, [...missed, form.id]]));
}, 300_000);

it('a credential of expressions connects each item with the account that the item names', async () => {
	const { client } = fixture;
	const others = await fixture.connectArgyle();
	const accounts = [credentialFor(argyle), credentialFor(others.argyle)];
	const names = Object.keys(accounts[0] ?? {});
	const ofItem = await client.createCredential(
		'Of the item',
		'argyleApi',
		Object.fromEntries(names.map((name) => [name, `={{ $json.${name} }}`])),
	);
	const jsCode = `return ${JSON.stringify(accounts)}.map((json) => ({ json }));`;
	const getAll = { resource: 'user', operation: 'getAll', returnAll: true };
	const nodes = [
		n8nNode('Start', 'manualTrigger'),
		n8nNode('Accounts', 'code', { jsCode }, 2),
		argyleNode(ofItem, getAll, { name: 'Users' }),
	];
	const { id } = await client.createWorkflow('Two accounts', nodes, inARow(nodes));
	await client.run(id, 'Start');
	const [execution] = await client.waitForExecutions(id, 1, 60_000);
	const { output } = await client.execution(execution?.id ?? '');
	expect((output.Users ?? []).map(({ json }) => json.id).sort()).toEqual(
		[argyle, others.argyle].flatMap(({ users }) => [...users.keys()]).sort(),
	);
}, 120_000);
