import { type INodeParameters, NodeHelpers } from 'n8n-workflow';
import { resources } from '../../nodes/Argyle/resources';
import { actionNode, failure } from '../support/n8nCore/n8nContext.mts';
import { inviteParameters, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';
import { textOfFile } from '../support/paths.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const [, ...tables] = textOfFile('docs/agents.md').split(/^\| (?:Always allowed|Only if)/m);

/** What the first column of each table names: what an agent always may, and what only if somebody allows it. */
const [always = [], onlyIf = []] = tables.map((table) =>
	(table.split('\n\n')[0] ?? '')
		.split('\n')
		.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/\*([^*]+)\*/g)].map(([, name]) => name)),
);

/** Why an operation has to be allowed, in the words of the refusal: one operation for each effect. */
const REASONS: Record<string, string> = {
	'invite send': 'Send writes to a person',
	'invite revoke': 'Revoke ends something for good',
	'session createLink': 'Create Link gives others access to data',
	'user update': 'Update overwrites what nobody can bring back',
	'user delete': 'Delete erases data for good',
	'verification order': "Order may cost money, or can't be taken back",
};

const operations = resources.flatMap(({ value: resource, name: of, operations: all }) =>
	all.map(({ value: operation, name }) => ({ resource, operation, names: [name, `${of}: ${name}`] })),
);
const nameOf = ({ resource, operation }: { resource: string; operation: string }) => `${resource} ${operation}`;

const call = async (parameters: object, continueOnFail = false) =>
	await node.run(parameters, { items: [{ json: { Allow: true } }], isTool: true, continueOnFail });

const isRefused = async (parameters: object) =>
	await call(parameters).then(
		() => false,
		({ message }: Error) => message.startsWith('An agent may not do this'),
	);

describe('what agents may do', () => {
	it('an agent that was allowed nothing does what docs/agents.md says, and nothing else', async () => {
		for (const { names, ...chosen } of operations) {
			const isRefusedNow = await isRefused(chosen);
			const isIn = (table: string[]) => names.some((name) => table.includes(name));
			expect([names, isIn(always), isIn(onlyIf)]).toEqual([names, !isRefusedNow, isRefusedNow]);
		}
		const known = operations.flatMap(({ names }) => names);
		expect([...always, ...onlyIf].filter((name) => !known.includes(name))).toEqual([]);
	});

	it.each(operations.filter((chosen) => nameOf(chosen) in REASONS))(
		'refuses $resource $operation in a tool, before anything is sent',
		async ({ names: _, ...chosen }) => {
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
		await call(inviteParameters('alex@example.com', { agentMayAct: true }));
		expect(node.service.messagesTo('alex@example.com')).toBe(1);
	});

	const shown = (isTool: boolean, parameters: INodeParameters) => {
		const description = { ...actionNode.description, name: isTool ? 'argyleTool' : 'argyle' };
		return description.properties.filter((property) =>
			NodeHelpers.displayParameter(parameters, property, { typeVersion: 1 }, description),
		);
	};
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
