import type { FakeArgyle, LoggedRequest } from '../support/fakeArgyle/index.mts';
import { type FakeModel, startFakeModel } from '../support/fakeModel.mts';
import { isJson, type Json } from '../support/json.mts';
import { agentWith } from '../support/n8n/agent.mts';
import type { FullExecution } from '../support/n8n/execution.mts';
import { argyleNode, type CredentialRef, inARow, type SavedNode } from '../support/n8n/nodes.mts';
import { toolErrorsEndWorkflows } from '../support/n8n/selectedVersion.mts';
import { inputNode, type OperationCase, operationCases, type Sent } from './operationCases.mts';

interface Tools {
	run(name: string, nodes: SavedNode[], connections: Json): Promise<FullExecution>;
	connect(): Promise<{ argyle: FakeArgyle; credential: CredentialRef }>;
	createCredential(type: string, data: Record<string, unknown>): Promise<CredentialRef>;
}

/** What an agent may not do of these, with what it is told. */
const FORBIDDEN: Record<string, string> = {
	invite_send: 'Send writes to a person',
	userUpload_upload: "Upload may cost money, or can't be taken back",
	user_update: 'Update overwrites what nobody can bring back',
};

const REQUEST = 'Do everything.';

const nameOf = ({ resource, operation }: OperationCase) => `${resource}_${operation}`;

const sentOf = ({ method, path, query, body }: LoggedRequest): Sent => [`${method} ${path}${query}`, body];

/** As `sentOf` gives a request without a body. */
const withBody = ([request, body]: Sent): Sent => [request, body];

/** As a model that is talked into calling every tool there is. */
async function startObedientModel(names: string[]): Promise<FakeModel> {
	return await startFakeModel(([text]) =>
		text === REQUEST ? names.map((name) => ({ name, input: { Email: 'alex@example.com' } })) : 'Done.',
	);
}

/** What the model was told by each tool, by the tool's name. */
function resultsIn({ requests }: FakeModel): Map<string, string> {
	const { messages } = requests.at(-1) ?? {};
	const said = (Array.isArray(messages) ? messages : []).filter(isJson);
	const calls = said.flatMap(({ tool_calls: each }) => (Array.isArray(each) ? each.filter(isJson) : []));
	return new Map(
		calls.map(({ id, function: called }) => [
			isJson(called) ? String(called.name) : '',
			String(said.find(({ role, tool_call_id: of }) => role === 'tool' && of === id)?.content),
		]),
	);
}

function firstItem(result = '[]'): unknown {
	const items: unknown = JSON.parse(result);
	return Array.isArray(items) ? items[0] : items;
}

const toolsOf = (cases: OperationCase[], agentMayAct: boolean, argyle: CredentialRef) =>
	cases.map((each) => {
		const { resource, operation, entered } = each;
		const email = nameOf(each) === 'invite_send' ? { email: "={{ $fromAI('Email', `To whom`, 'string') }}" } : {};
		const onError = toolErrorsEndWorkflows ? 'continueRegularOutput' : undefined;
		return argyleNode(
			argyle,
			{ resource, operation, agentMayAct, ...entered, ...email },
			{ name: nameOf(each), type: 'n8n-nodes-argyle.argyleTool', onError },
		);
	});

export function agentPermissionTests({ run, connect, createCredential }: Tools): void {
	it.each([
		['does nothing that can not be undone or gives others access, and everything else', false],
		['does everything when its tools allow it', true],
	])(
		'an agent with a tool for each kind of operation, and a model that calls all, %s',
		async (_, allowed) => {
			const { argyle, credential } = await connect();
			const cases = operationCases(argyle);
			const model = await startObedientModel(cases.map(nameOf));
			const openAi = await createCredential('openAiApi', model.credentialData);
			const { nodes, connections } = agentWith(REQUEST, 3.1, openAi, toolsOf(cases, allowed, credential));
			const toAgent = inARow([{ name: 'Start' }, { name: 'Input' }, { name: 'Agent' }]);
			const execution = await run(`Agent, ${allowed}`, [inputNode(), ...nodes], { ...toAgent, ...connections });
			model.stop();
			const results = resultsIn(model);
			expect(execution).toMatchObject({ status: 'success', error: undefined });
			const isRefused = (name: string) => !allowed && name in FORBIDDEN;
			expect(
				[...results]
					.filter(([, text]) => text.includes('An agent may not do this'))
					.map(([name]) => name)
					.sort(),
			).toEqual(Object.keys(FORBIDDEN).filter(isRefused).sort());
			for (const [name, words] of Object.entries(FORBIDDEN).filter(([each]) => isRefused(each)))
				expect(results.get(name)).toContain(`An agent may not do this: ${words}. Whoever builds the workflow`);
			const done = cases.filter((each) => !isRefused(nameOf(each)));
			const sent = done.flatMap((each) => each.sent).map(withBody);
			// n8n promises no order.
			expect(argyle.requests).toHaveLength(sent.length);
			expect(argyle.requests.map(sentOf)).toEqual(expect.arrayContaining(sent));
			for (const each of done)
				expect([nameOf(each), firstItem(results.get(nameOf(each)))]).toEqual([
					nameOf(each),
					expect.objectContaining(each.output),
				]);
			expect(argyle.messages).toHaveLength(allowed ? 2 : 0);
		},
		120_000,
	);
}
