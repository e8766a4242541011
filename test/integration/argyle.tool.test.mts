import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, receiptParameters, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

/** As ✨ saves "defined automatically by the model". */
const fromModel = (key: string, type = 'string') =>
	`={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`\`, '${type}') }}`;

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
			/^User is not a valid ID\. An ID at Argyle looks like .*There is "Bob Jones"\. Get Many shows the IDs that exist\./,
		);
		const unknown = await failure(call(getUser, { User: '00000000-0000-4000-8000-000000000000' }));
		expect(unknown.message).toMatch(
			/^Argyle could not find the user 0{8}-.*\. The ID may belong to another kind of record, .*Check the ID\./,
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

	it('sends of a user no field that the model left empty, in whatever words', async () => {
		const names = { firstName: fromModel('First'), lastName: fromModel('Last'), birthDate: fromModel('Born') };
		const address = { value: { line1: fromModel('Street'), city: fromModel('City') } };
		const parameters = { resource: 'user', operation: 'update', agentMayAct: true, userId: byId(node.userId()) };
		const given = { First: 'Alex', Last: 'null', Born: 'None', Street: 'undefined', City: null };
		await call({ ...parameters, updateFields: { ...names, address } }, given);
		expect(node.service.requests[0]?.body).toEqual({ first_name: 'Alex' });
	});

	it('orders and changes a verification without what the model left empty', async () => {
		const fields = { loanNumber: fromModel('Loan'), costCenter: fromModel('Center') };
		const given = { Loan: '4711', Center: 'None' };
		const tool = { resource: 'verification', agentMayAct: true, additionalFields: fields, updateFields: fields };
		const order = { ...tool, operation: 'order', userId: byId(node.userId()), reportType: 'voie' };
		const [ordered] = await call(order, given);
		await call({ ...tool, operation: 'update', verificationId: byId(String(ordered?.json.id)) }, given);
		const loan = { number: '4711' };
		expect(node.service.requests.map(({ body }) => body)).toEqual([
			...[{ user: node.userId(), report: { type: 'voie' }, loan }, { loan }],
		]);
	});

	describe.each([
		['Include Sensitive Data', 'identity', 'includeSensitive', 'ssn'],
		['Include Secret', 'webhook', 'includeSecret', 'secret'],
	])('with %s', (displayName, resource, option, field) => {
		const parameters = { resource, operation: 'getAll', returnAll: true, simplify: false };
		const asked = (value: unknown) => ({ ...parameters, options: { [option]: value } });
		const expressions = [
			...[fromModel('everything', 'boolean'), "={{ $fromAI('everything') }}", '={{ $json.everything }}'],
			...['={{ $input.item.json.everything }}', '={{ true }}', '={{ false }}', '=true'],
		];

		beforeEach(() => node.addSubscriptions(2));

		it.each(expressions)('no expression decides in a tool what the model gets to see: %s', async (expression) => {
			const { message } = await failure(call(asked(expression), { everything: true }));
			expect(message).toMatch(
				`${displayName} can't be an expression in a tool. Only a person decides what a model may see`,
			);
			expect(node.service.requests).toHaveLength(0);
		});

		it('a person decides by hand, and in a node by an expression too', async () => {
			const shown = async (value: unknown, isTool: boolean) => {
				const items = await node.run(asked(value), { items: [{ json: { everything: true } }], isTool });
				return items.some(({ json }) => typeof json[field] === 'string' && json[field] !== '•••');
			};
			expect(await shown(true, true)).toBe(true);
			expect(await shown(false, true)).toBe(false);
			expect(await shown('={{ $json.everything }}', false)).toBe(true);
		});
	});

	it.each([fromModel('as_events', 'boolean'), '={{ $json.as_events }}', '={{ true }}'])(
		'no expression brings the forms as the trigger does, which masks nothing: %s',
		async (asEvents) => {
			const { form } = node.service.storeForm();
			form.data = { ssn: '522-09-1192' };
			const parameters = { ...formsOf(''), returnAll: true, options: { asEvents } };
			expect(await node.refusalOf(call(parameters, { as_events: true }))).toMatch(
				/^Output as Trigger Items can't be an expression in a tool\. Only a person decides/,
			);
			expect(await call({ ...parameters, options: { asEvents: true } }, {})).not.toEqual([]);
		},
	);

	it('says of a file that the model does not get it, and how it can be sent', async () => {
		const note = expect.stringMatching(/not the file.*Call n8n Workflow Tool/);
		const [receipt] = await call(receiptParameters(fromModel('User')), { User: node.userId() });
		expect(receipt?.json).toMatchObject({ user: node.userId(), mimeType: 'application/pdf', note });
		const [document] = node.service.addRecords('payroll-documents', 1);
		const download = { resource: 'payrollDocument', operation: 'download', payrollDocumentId: document?.id };
		const [file] = await call({ ...download, binaryPropertyName: 'data' }, {});
		expect(file?.json).toMatchObject({ id: document?.id, note });
	});

	it('says of an upload how a tool gets a file, which no agent hands over', async () => {
		const upload = { resource: 'userUpload', operation: 'upload', userId: byId(node.userId()), agentMayAct: true };
		const { message } = await failure(call(upload, {}));
		expect(message).toBe(
			"Input File Field does not name a file of the item. The item has no file: an agent can't hand one over. Give Input File Field the file of a node by an expression, such as {{ $('Chat').first().binary.data0 }}.",
		);
	});

	it.each(['"user_forms.submitted"', 'user_forms.submitted, accounts.added', '["user_forms.submitted"]'])(
		'creates a webhook subscription for the events %s, which a model gives as text',
		async (Events) => {
			const create = { resource: 'webhook', operation: 'create', name: 'n', url: 'https://example.com' };
			const allowed = { ...create, agentMayAct: true };
			await call({ ...allowed, events: fromModel('Events'), additionalFields: {}, options: {} }, { Events });
			const [subscription] = node.service.subscriptions.values();
			expect(subscription?.events).toEqual(Events.match(/[a-z_]+\.[a-z]+/g));
		},
	);
});
