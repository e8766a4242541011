import { type INodeParameters, NodeHelpers } from 'n8n-workflow';
import { resources } from '../../nodes/Argyle/resources';
import { isHiddenFromAgents } from '../../nodes/Argyle/resources/agentPermission';
import { actionNode, failure } from '../support/n8nCore/n8nContext.mts';
import { byId, receiptParameters, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

/** As ✨ saves "defined automatically by the model". */
const fromModel = (key: string, type = 'string') =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`\`, '${type}') }}`;

/** Runs the node as an agent's tool, with what the model gives. */
const call = async (parameters: object, given: object, continueOnFail = false) =>
	await node.run(parameters, { items: [{ json: { ...given } }], isTool: true, continueOnFail });

const getUser = { resource: 'user', operation: 'get', userId: byId(fromModel('User')), simplify: true, options: {} };

const formsOf = (user: unknown) => ({
	...{ resource: 'userForm', operation: 'getAll', returnAll: fromModel('Return_All', 'boolean') },
	...{ limit: fromModel('Limit', 'number'), filters: { user }, options: {} },
});

describe("the Argyle node as an agent's tool", () => {
	it("tells the model in an error's message what to do", async () => {
		const { message } = await failure(call(getUser, { User: 'Bob Jones' }));
		expect(message).toMatch(
			/^User is not a valid ID\. An ID at Argyle looks like .*There is "Bob Jones"\. Get Many tells those that there are;/,
		);
		const unknown = await failure(call(getUser, { User: '00000000-0000-4000-8000-000000000000' }));
		expect(unknown.message).toMatch(
			/^Argyle could not find the user 0{8}-.*\. The ID may be that of something else, .*Check the ID\./,
		);
	});

	it('tells the model what to do once, if its errors are given out as items', async () => {
		const [item] = await call(getUser, { User: 'Bob Jones' }, true);
		expect(item?.json).toEqual({
			error: expect.stringMatching(/^User is not a valid ID\. An ID at Argyle looks like/),
		});
	});

	it('reads IDs, numbers and switches as models give them', async () => {
		const User = `"${node.userId(2).toUpperCase()}"`;
		const forms = await call(formsOf(fromModel('User')), { User, Return_All: 'false', Limit: '50' });
		expect(forms).toHaveLength(1);
		const [user] = await call(getUser, { User });
		expect(user?.json.id).toBe(node.userId(2));
	});

	it.each([
		['left out', {}],
		['empty', { User: '' }],
		['null', { User: null }],
		['"null"', { User: 'null' }],
	])('a filter that the model gives as %s is none', async (_, given) => {
		const all = { Return_All: true, ...given };
		const count = node.service.userForms.size;
		expect(await call(formsOf(fromModel('User')), all)).toHaveLength(count);
		expect(await call(formsOf(byId(fromModel('User'))), all)).toHaveLength(count);
	});

	it("a filter that the agent's maker sets by an expression is not dropped when that gives nothing", async () => {
		const { message } = await failure(call(formsOf('={{ $json.customer }}'), { Return_All: true }));
		expect(message).toMatch(/^The filter User has no value\./);
		expect(node.service.requests).toHaveLength(0);
	});

	it.each([
		['Include Sensitive Data', 'identity', 'includeSensitive'],
		['Include Secret', 'webhook', 'includeSecret'],
	])('does not let the model decide on %s', async (displayName, resource, option) => {
		node.addSubscriptions(1);
		const parameters = { resource, operation: 'getAll', returnAll: true };
		const asked = { ...parameters, options: { [option]: fromModel('Everything', 'boolean') } };
		const { message } = await failure(call(asked, { Everything: true }));
		expect(message).toMatch(
			`${displayName} is left to the model to decide. What a model may see, only a person decides`,
		);
		expect(node.service.requests).toHaveLength(0);
		expect(await call({ ...parameters, options: { [option]: true } }, {})).not.toHaveLength(0);
	});

	it('says of a file that the model does not get it, and how it can be sent', async () => {
		const note = expect.stringMatching(/not the file.*Call n8n Workflow Tool/);
		const [receipt] = await call(receiptParameters(fromModel('User')), { User: node.userId() });
		expect(receipt?.json).toMatchObject({ user: node.userId(), mimeType: 'application/pdf', note });
		const [document] = node.service.addRecords('payroll-documents', 1);
		const download = { resource: 'payrollDocument', operation: 'download', payrollDocumentId: document?.id };
		const [file] = await call({ ...download, binaryPropertyName: 'data' }, {});
		expect(file?.json).toMatchObject({ id: document?.id, note });
	});

	it.each(['"user_forms.submitted"', 'user_forms.submitted, accounts.added', '["user_forms.submitted"]'])(
		'creates a webhook subscription for the events %s, which a model gives as text',
		async (Events) => {
			const create = { resource: 'webhook', operation: 'create', name: 'n', url: 'https://example.com' };
			await call({ ...create, events: fromModel('Events'), additionalFields: {}, options: {} }, { Events });
			const [subscription] = node.service.subscriptions.values();
			expect(subscription?.events).toEqual(Events.match(/[a-z_]+\.[a-z]+/g));
		},
	);
});

describe('what agents may do', () => {
	const forbidden = resources.flatMap(({ value: resource, operations }) =>
		operations.filter(isHiddenFromAgents).map(({ value: operation }) => ({ resource, operation })),
	);

	it('hides what writes to people, orders or erases, and nothing that only reads', () => {
		expect(forbidden).toEqual(
			expect.arrayContaining([
				{ resource: 'invite', operation: 'send' },
				{ resource: 'invite', operation: 'resend' },
				{ resource: 'session', operation: 'sendInvite' },
				{ resource: 'verification', operation: 'order' },
				{ resource: 'verification', operation: 'refresh' },
			]),
		);
		expect(forbidden.filter(({ operation }) => /^(get|search|generate|verify)/.test(operation))).toEqual([]);
	});

	it.each(forbidden)('refuses $resource $operation in a tool, before anything is sent', async (chosen) => {
		for (const agentMayAct of [undefined, false, '={{ true }}', "={{ $fromAI('Allow', ``, 'boolean') }}"]) {
			const { message } = await failure(call({ ...chosen, agentMayAct }, { Allow: true }));
			expect(message).toMatch(/^An agent may not do this: .* (writes to a person|may cost money|erases data)/);
			expect(message).toContain('can allow it with Agent May Erase, Order and Write to People in this tool');
			// On Error can say that the model gets the error as an item.
			const items = await call({ ...chosen, agentMayAct }, { Allow: true }, true);
			expect(items).toEqual([{ json: { error: message }, pairedItem: { item: 0 } }]);
		}
		expect(node.service.requests).toHaveLength(0);
	});

	it('lets the builder allow it', async () => {
		const invite = { firstName: 'Alex', lastName: 'Sample', sendBy: 'email', email: fromModel('Email') };
		const allowed = { resource: 'invite', operation: 'send', ...invite, additionalFields: {}, agentMayAct: true };
		await call(allowed, { Email: 'alex@example.com' });
		expect(node.service.messagesTo('alex@example.com')).toBe(1);
	});

	const shown = (isTool: boolean, parameters: INodeParameters) =>
		actionNode.description.properties.filter((property) =>
			NodeHelpers.displayParameter(
				parameters,
				property,
				{ typeVersion: 1 },
				{
					...actionNode.description,
					name: isTool ? 'argyleTool' : 'argyle',
				},
			),
		);
	const operationsShown = (isTool: boolean, parameters: INodeParameters) =>
		shown(isTool, parameters)
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options = [] }) => options.map((option) => ('value' in option ? option.value : '')));

	it('shows one choice of operations, and the switch in tools only', () => {
		const all = ['send', 'resend', 'revoke', 'get', 'getAll'];
		expect(operationsShown(false, { resource: 'invite' })).toEqual(all);
		expect(operationsShown(true, { resource: 'invite', agentMayAct: true })).toEqual(all);
		expect(operationsShown(true, { resource: 'invite', agentMayAct: false })).toEqual(['revoke', 'get', 'getAll']);
		expect(operationsShown(true, { resource: 'userForm', agentMayAct: false })).toEqual(['get', 'getAll']);
		const hasSwitch = (isTool: boolean, resource: string) =>
			shown(isTool, { resource }).some(({ name }) => name === 'agentMayAct');
		expect([hasSwitch(false, 'invite'), hasSwitch(true, 'invite'), hasSwitch(true, 'userForm')]).toEqual([
			...[false, true, false],
		]);
	});
});
