import { type INodeParameters, NodeHelpers } from 'n8n-workflow';
import { resources } from '../../nodes/Argyle/resources';
import { actionNode, failure } from '../support/n8nCore/n8nContext.mts';
import { useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const READS = ['get', 'getAll', 'getRecords', 'download', 'search', 'verify'];

/** All that an agent always may, beside what only reads: what a person can take back, as docs/agents.md says. */
const ALWAYS_ALLOWED = ['receipt generate', 'user create', 'account simulateNewData', 'report generate'];

/** Why an operation has to be allowed, in the words of the refusal: one operation for each effect. */
const REASONS: Record<string, string> = {
	'invite send': 'Send writes to a person',
	'invite revoke': 'Revoke ends something for good',
	'session createLink': 'Create Link gives others access to data',
	'user update': 'Update overwrites what nobody can bring back',
	'user delete': 'Delete erases data for good',
	'verification order': "Order may cost money, or can't be taken back",
};

const operations = resources.flatMap(({ value: resource, operations: all }) =>
	all.map(({ value: operation }) => ({ resource, operation })),
);
const nameOf = ({ resource, operation }: (typeof operations)[number]) => `${resource} ${operation}`;

/** Runs the node as an agent's tool. */
const call = async (parameters: object, continueOnFail = false) =>
	await node.run(parameters, { items: [{ json: { Allow: true } }], isTool: true, continueOnFail });

const isRefused = async (parameters: object) =>
	await call(parameters).then(
		() => false,
		({ message }: Error) => message.startsWith('An agent may not do this'),
	);

describe('what agents may do', () => {
	it('an agent that was allowed nothing only reads, and does what a person can take back', async () => {
		const allowed: string[] = [];
		for (const chosen of operations) if (!(await isRefused(chosen))) allowed.push(nameOf(chosen));
		expect(allowed.filter((name) => !READS.includes(name.split(' ')[1] ?? ''))).toEqual(ALWAYS_ALLOWED);
	});

	it.each(operations.filter((chosen) => nameOf(chosen) in REASONS))(
		'refuses $resource $operation in a tool, before anything is sent',
		async (chosen) => {
			for (const agentMayAct of [undefined, false, '={{ true }}', "={{ $fromAI('Allow', ``, 'boolean') }}"]) {
				const { message } = await failure(call({ ...chosen, agentMayAct }));
				expect(message).toBe(
					`An agent may not do this: ${REASONS[nameOf(chosen)]}. Whoever builds the workflow can allow it with Agent May Do What Can't Be Undone in this tool. Nothing was sent to Argyle.`,
				);
				// On Error can say that the model gets the error as an item.
				const items = await call({ ...chosen, agentMayAct }, true);
				expect(items).toEqual([{ json: { error: message }, pairedItem: { item: 0 } }]);
			}
			expect(node.service.requests).toHaveLength(0);
		},
	);

	it('lets the builder allow it', async () => {
		const invite = { firstName: 'Alex', lastName: 'Sample', sendBy: 'email', email: 'alex@example.com' };
		await call({ resource: 'invite', operation: 'send', ...invite, additionalFields: {}, agentMayAct: true });
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
		expect(operationsShown(true, { resource: 'invite', agentMayAct: false })).toEqual(['get', 'getAll']);
		// A list can't be empty.
		expect(operationsShown(true, { resource: 'session', agentMayAct: false })).toEqual(['createLink', 'sendInvite']);
		expect(operationsShown(true, { resource: 'userForm', agentMayAct: false })).toEqual(['get', 'getAll']);
		const hasSwitch = (isTool: boolean, resource: string) =>
			shown(isTool, { resource }).some(({ name }) => name === 'agentMayAct');
		expect([hasSwitch(false, 'invite'), hasSwitch(true, 'invite'), hasSwitch(true, 'userForm')]).toEqual([
			...[false, true, false],
		]);
	});
});
