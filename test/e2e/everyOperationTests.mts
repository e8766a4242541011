import { resources } from '../../nodes/Argyle/resources';
import type { FakeArgyle, LoggedRequest } from '../support/fakeArgyle/index.mts';
import type { FullExecution } from '../support/n8n/execution.mts';
import { argyleNode, type CredentialRef, type SavedNode } from '../support/n8n/nodes.mts';
import { inputNode, type OperationCase, prepare, type Sent } from './operationCase.mts';
import { readCases } from './readCases.mts';
import { writeCases } from './writeCases.mts';

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

/** Every operation of the node, as nodes or tools in one workflow of a real n8n. */
export function everyOperationTests({ run, connect }: Tools): void {
	it('every operation sends what was entered, and nothing else, and puts out what Argyle answers', async () => {
		const { argyle, credential } = await connect();
		const known = prepare(argyle);
		const cases = [...readCases(argyle, known), ...writeCases(known)];
		const operations = resources.flatMap(({ value: resource, operations: all }) =>
			all.map(({ value: operation }) => nameOf({ resource, operation })),
		);
		expect(cases.map(nameOf).sort()).toEqual(operations.sort());

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
		const execution = await run('Every operation', [inputNode(known), ...nodes], connections);
		expect(execution).toMatchObject({ status: 'success', error: undefined });
		expect(cases.map((each) => [nameOf(each), execution.output[nameOf(each)]?.[0]?.json])).toEqual(
			cases.map((each) => [nameOf(each), expect.objectContaining(each.output)]),
		);
		expect(argyle.requests.map(sentOf)).toEqual(cases.flatMap(({ sent }) => sent.map(withBody)));
	});
}
