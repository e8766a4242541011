import { randomUUID } from 'node:crypto';
import type { FakeArgyle } from '../support/fakeArgyle/index.mts';
import { type Reply, startFakeModel } from '../support/fakeModel.mts';
import { type AgentVersion, agentWith, connectMcp, mcpTrigger } from '../support/n8n/agent.mts';
import type { Json } from '../support/json.mts';
import { runNodes } from '../support/n8n/example.mts';
import type { FullExecution } from '../support/n8n/execution.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleNode, type CredentialRef, n8nNode, type SavedNode } from '../support/n8n/nodes.mts';

const ALEX = 'alex@example.com';
const BEA = 'bea@example.com';
const CARL = 'carl@example.com';

let fixture: N8nFixture;
let argyle: FakeArgyle;
let credential: CredentialRef;

beforeAll(async () => {
	fixture = await startN8nFixture();
	({ argyle, credential } = await fixture.connectArgyle());
});
afterAll(async () => await fixture.stop());
beforeEach(() => {
	argyle.clearFaults();
	for (const list of [argyle.messages, argyle.requests]) list.length = 0;
	argyle.invites.clear();
});

/** Leads from each node to the next; a node can be named again. */
const path = (...names: string[]) =>
	Object.fromEntries(
		names.slice(1).map((to, index) => [names[index], { main: [[{ node: to, type: 'main', index: 0 }]] }]),
	);

const run = async (nodes: SavedNode[], connections: Json) =>
	await runNodes(fixture.client, randomUUID(), nodes, connections);

const people = (emails: string[]) =>
	n8nNode('People', 'code', { jsCode: `return ${JSON.stringify(emails)}.map((email) => ({ json: { email } }));` }, 2);

const RETRY = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };

const FROM_MODEL = "={{ $fromAI('Email', `To whom`, 'string') }}";

/** Invites whom the item, or a model, names. Another last name than in other tests keeps their invites apart. */
const invite = (more: Partial<SavedNode> = {}, email = '={{ $json.email }}', lastName = '={{ $execution.id }}') =>
	argyleNode(
		credential,
		{
			...{ resource: 'invite', operation: 'send', firstName: 'Alex', lastName },
			...{ sendBy: 'email', email, skipInvited: 'none', additionalFields: {}, agentMayAct: true },
		},
		{ name: 'Invite', ...more },
	);

/** Runs a workflow with an agent, whose model calls the tool "Invite" for these people, turn by turn. */
async function runAgent(version: AgentVersion, turns: string[][]): Promise<FullExecution> {
	const left = turns.map((emails): Reply => emails.map((Email) => ({ name: 'Invite', input: { Email } })));
	const model = await startFakeModel(() => left.shift() ?? 'Done.');
	const openAi = await fixture.client.createCredential('Model', 'openAiApi', model.credentialData);
	const tool = invite({ type: 'n8n-nodes-argyle.argyleTool' }, FROM_MODEL);
	const { nodes, connections } = agentWith('Invite them.', version, openAi, [tool]);
	const execution = await run(nodes, { ...connections, ...path('Start', 'Agent') });
	model.stop();
	return execution;
}

/** Ways in which n8n comes back to what is unclear: who is invited how often, of three who are to be. */
const WAYS: Record<string, { runIt: () => Promise<FullExecution>; sent: number[] }> = {
	'Retry On Fail, of a list of three': {
		runIt: async () => await run([people([BEA, ALEX, CARL]), invite(RETRY)], path('Start', 'People', 'Invite')),
		sent: [1, 1, 1],
	},
	"the workflow's own loop, from the error output back to the node": {
		runIt: async () =>
			await run([people([BEA, ALEX, CARL]), invite({ onError: 'continueErrorOutput' }), n8nNode('Failed', 'noOp')], {
				...path('Start', 'People', 'Invite'),
				...path('Failed', 'Invite'),
				Invite: { main: [[], [{ node: 'Failed', type: 'main', index: 0 }]] },
			}),
		sent: [1, 1, 1],
	},
	'Retry On Fail, in Loop Over Items with two equal rows': {
		runIt: async () =>
			await run([people([ALEX, ALEX, BEA]), n8nNode('Loop', 'splitInBatches', {}, 3), invite(RETRY)], {
				...path('Start', 'People', 'Loop'),
				...path('Invite', 'Loop'),
				Loop: { main: [[], [{ node: 'Invite', type: 'main', index: 0 }]] },
			}),
		sent: [2, 1, 0],
	},
	'an agent that calls its tool at the same time, twice with equal values': {
		runIt: async () => await runAgent(2.2, [[ALEX, ALEX, BEA]]),
		sent: [1, 1, 0],
	},
	'an agent that calls its tool again in a later turn': {
		runIt: async () => await runAgent(3.1, [[ALEX, BEA], [ALEX], [ALEX]]),
		sent: [1, 1, 0],
	},
};

/** Argyle sends the next invite to this person, a proxy answers 502, and the first lookup fails. */
function loseAnswer(email: string): void {
	argyle.addFault({ kind: 'statusAfterCommit', status: 502, method: 'POST', matches: (body) => body.email === email });
	argyle.addFault({ kind: 'status', status: 404, method: 'GET', path: '/v2/invites' });
}

it.each(Object.entries(WAYS))(
	'an invite without a clear answer is looked up, and not sent again, by %s',
	async (_, { runIt, sent }) => {
		loseAnswer(ALEX);
		expect(await runIt()).toMatchObject({ status: 'success', error: undefined });
		expect([ALEX, BEA, CARL].map((email) => argyle.messagesTo(email))).toEqual(sent);
	},
);

it('Retry On Fail of a node that calls a workflow repeats what that did, because each try is another execution', async () => {
	const called = await fixture.client.createWorkflow(
		'Called',
		[n8nNode('Called', 'executeWorkflowTrigger', { inputSource: 'passthrough' }, 1.1), invite(RETRY)],
		path('Called', 'Invite'),
	);
	await fixture.client.publish(called);
	argyle.addFault({ kind: 'status', status: 400, method: 'POST', matches: ({ email }) => email === BEA, times: 3 });
	const workflowId = { __rl: true, mode: 'id', value: called.id };
	const call = { ...n8nNode('Call', 'executeWorkflow', { workflowId, options: {} }, 1.2), ...RETRY };
	expect(await run([people([ALEX, BEA]), call], path('Start', 'People', 'Call'))).toMatchObject({ status: 'success' });
	expect([ALEX, BEA].map((email) => argyle.messagesTo(email))).toEqual([2, 1]);
});

it('behind an MCP Server Trigger, which has no executions, equal calls are sent once, and looked up while that is unclear', async () => {
	const address = randomUUID();
	const trigger = mcpTrigger(address);
	const tool = invite({ type: 'n8n-nodes-argyle.argyleTool', ...RETRY }, FROM_MODEL, 'Sample');
	const connections = { Invite: { ai_tool: [[{ node: trigger.name, type: 'ai_tool', index: 0 }]] } };
	const workflow = await fixture.client.createWorkflow('MCP', [trigger, tool], connections);
	await fixture.client.publish(workflow);
	const callTool = await connectMcp(`${fixture.client.origin}/mcp/${address}`);
	const call = async (Email: string) => await callTool('Invite', { Email });
	const answers = await Promise.all([call(ALEX), call(ALEX)]);
	expect(answers.filter((answer) => answer.includes('Not done again: an equal call did this at '))).toHaveLength(1);
	expect(await call(ALEX)).toContain('Not done again');
	loseAnswer(BEA);
	expect(await call(BEA)).toContain([...argyle.invites.keys()][1]);
	expect([ALEX, BEA].map((email) => argyle.messagesTo(email))).toEqual([1, 1]);
	await fixture.client.unpublish(workflow.id);
});
