import { isJson } from '../support/json.mts';
import type { StoredWorkflow } from '../support/n8n/workflow.mts';
import type { ArgyleConnection } from '../support/n8n/connectArgyle.mts';
import { runNodes } from '../support/n8n/example.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleNode, argyleTrigger, type CredentialRef, n8nNode } from '../support/n8n/nodes.mts';
import { until } from '../support/n8n/until.mts';

// n8n's default engine evaluates expressions only while n8n calls the trigger. n8n-core's contexts have an older one,
// so that only a real n8n can show what the watch does with them.

let fixture: N8nFixture;
let connection: ArgyleConnection;

beforeAll(async () => {
	fixture = await startN8nFixture();
	connection = await fixture.connectArgyle();
});
afterAll(async () => await fixture.stop());

const FORMS = { events: ['user_forms.submitted'] };

/** A credential each of whose fields is the expression that this gives for its name and value. */
async function credentialOf(expression: (field: string, value: unknown) => string): Promise<CredentialRef> {
	const fields = Object.entries(connection.credentialData).map(([name, value]) => [
		name,
		`={{ ${expression(name, value)} }}`,
	]);
	return await fixture.client.createCredential('Of expressions', 'argyleApi', Object.fromEntries(fields));
}

/** Each parameter of the trigger, given by an expression. All of the workflows want forms. */
const PARAMETERS: Array<[name: string, parameters: Record<string, unknown>]> = [
	['Events', { events: '={{ ["user_forms.submitted"] }}' }],
	['Items', { events: ['user_forms.submitted', 'items.updated'], items: ['={{ "item_" + "000041078" }}'] }],
	['Include User Form', { ...FORMS, includeUserForm: '={{ true }}' }],
	['Subscription Name', { ...FORMS, options: { subscriptionName: '={{ "Forms of " + $workflow.name }}' } }],
	['Catch Up', { ...FORMS, options: { catchUp: '={{ 1 === 1 }}' } }],
	[
		'Days Synced',
		{ events: ['user_forms.submitted', 'gigs.partially_synced'], options: { daysSynced: '={{ 45 * 2 }}' } },
	],
	[
		'Include Resource',
		{ events: ['user_forms.submitted', 'accounts.added'], options: { includeResource: '={{ true }}' } },
	],
	['Only From Argyle', { ...FORMS, options: { onlyFromArgyle: '={{ false }}' } }],
	[
		'Only Refreshed Accounts',
		{
			events: ['user_forms.submitted', 'accounts.connection_lost'],
			options: { onlyRefreshedAccounts: '={{ 1 === 2 }}' },
		},
	],
	['Skip Duplicates', { ...FORMS, options: { skipDuplicates: '={{ "true" }}' } }],
	['Include User Form, with Checking for Events', { receiveBy: 'polling', includeUserForm: '={{ true }}' }],
];

async function publish(
	name: string,
	parameters: Record<string, unknown>,
	credential = connection.credential,
): Promise<StoredWorkflow> {
	return await fixture.client.publishNew(name, [argyleTrigger(credential, parameters), n8nNode('Done', 'noOp')]);
}

/** The forms that each workflow has started for, in the order of their executions. */
async function startsOf({ id }: StoredWorkflow): Promise<unknown[]> {
	const executions = (await fixture.client.executions(id)).reverse();
	const full = await Promise.all(executions.map(async (execution) => await fixture.client.execution(execution.id)));
	return full.flatMap(({ output }) =>
		(output['Argyle Trigger'] ?? []).map(({ json }) => isJson(json.data) && json.data.user_form),
	);
}

const urls = () => [...connection.argyle.subscriptions.values()].map(({ url }) => url).sort();

it('with an expression in any parameter or the credential, missed and delivered forms start the workflow, and its subscription comes back', async () => {
	const workflows: StoredWorkflow[] = [];
	for (const [name, parameters] of PARAMETERS) workflows.push(await publish(name, parameters));
	const ofExpressions = await credentialOf((_, value) => `${JSON.stringify(value)}.trim()`);
	workflows.push(await publish('Each field of the credential', FORMS, ofExpressions));
	const { argyle } = connection;
	const before = urls();
	expect(before).toHaveLength(workflows.length - 1);
	const missed: string[] = [];
	await fixture.restart({ whileStopped: () => void missed.push(argyle.storeForm().form.id) });
	// A form that is two minutes young may be on its way for half a minute.
	await Promise.all(workflows.map(async ({ id }) => await fixture.client.waitForExecutions(id, 1, 150_000)));
	await fixture.restart({ whileStopped: () => argyle.subscriptions.clear() });
	await until('all subscriptions are back', 150_000, async () => (urls().length >= before.length ? true : undefined));
	expect(urls()).toEqual(before);
	const { form, attempts } = await argyle.submitForm();
	expect(attempts.map(({ status }) => status)).toEqual(before.map(() => 200));
	const starts = async () => await Promise.all(workflows.map(startsOf));
	// The one that checks for forms does so each minute.
	await until('each workflow has run for the form', 150_000, async () =>
		(await starts()).every((forms) => forms.includes(form.id)) ? true : undefined,
	);
	const named = (await starts()).map((forms, index) => [workflows[index]?.name, forms]);
	expect(named).toEqual(workflows.map(({ name }) => [name, [...missed, form.id]]));
}, 600_000);

it('a credential of expressions connects each item with the account that the item names', async () => {
	const others = await fixture.connectArgyle();
	const accounts = [connection, others];
	const ofItem = await credentialOf((field) => `$json.${field}`);
	const items = accounts.map(({ credentialData }) => ({ json: credentialData }));
	const jsCode = `return ${JSON.stringify(items)};`;
	const getAll = { resource: 'user', operation: 'getAll', returnAll: true };
	const nodes = [n8nNode('Accounts', 'code', { jsCode }, 2), argyleNode(ofItem, getAll, { name: 'Users' })];
	const { output } = await runNodes(fixture.client, 'Two accounts', nodes);
	expect((output.Users ?? []).map(({ json }) => json.id).sort()).toEqual(
		accounts.flatMap(({ argyle }) => [...argyle.users.keys()]).sort(),
	);
});
