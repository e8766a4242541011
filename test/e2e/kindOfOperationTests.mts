import type { FakeArgyle, LoggedRequest } from '../support/fakeArgyle/index.mts';
import type { FullExecution } from '../support/n8n/execution.mts';
import { argyleNode, type CredentialRef, type SavedNode } from '../support/n8n/nodes.mts';
import { inputNode, type OperationCase, operationCases, type Sent } from './operationCases.mts';

interface Tools {
	/** Runs these nodes after a node "Start". */
	run(name: string, nodes: SavedNode[], connections: object): Promise<FullExecution>;
	connect(): Promise<{ argyle: FakeArgyle; credential: CredentialRef }>;
}

export const nameOf = ({ resource, operation }: Pick<OperationCase, 'operation' | 'resource'>) =>
	`${resource}_${operation}`;

export const sentOf = ({ method, path, query, body }: LoggedRequest): Sent => [`${method} ${path}${query}`, body];

/** As `sentOf` gives a request without a body. */
export const withBody = ([request, body]: Sent): Sent => [request, body];

export function kindOfOperationTests({ run, connect }: Tools): void {
	it('each kind of operation sends what was entered, and nothing else, and puts out what Argyle answers', async () => {
		const { argyle, credential } = await connect();
		const cases = operationCases(argyle);
		// From the top to the bottom of the canvas, which is the order in which n8n runs the branches of a node.
		const nodes = cases.map(({ resource, operation, entered }, index) =>
			argyleNode(
				credential,
				{ resource, operation, ...entered },
				{
					name: nameOf({ resource, operation }),
					position: [660, index * 100],
				},
			),
		);
		const connections = {
			...Object.fromEntries(nodes.map(({ name }) => [name, {}])),
			Input: { main: [nodes.map(({ name: node }) => ({ node, type: 'main', index: 0 }))] },
		};
		const execution = await run('Each kind of operation', [inputNode(), ...nodes], connections);
		expect(execution).toMatchObject({ status: 'success', error: undefined });
		expect(cases.map((each) => [nameOf(each), execution.output[nameOf(each)]?.[0]?.json])).toEqual(
			cases.map((each) => [nameOf(each), expect.objectContaining(each.output)]),
		);
		expect(argyle.requests.map(sentOf)).toEqual(cases.flatMap(({ sent }) => sent.map(withBody)));
	});
}
