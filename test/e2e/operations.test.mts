import { resources } from '../../nodes/Argyle/resources';
import type { FakeArgyle } from '../support/fakeArgyle/index.mts';
import type { Json } from '../support/json.mts';
import { runNodes } from '../support/n8n/example.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import {
	argyleNode,
	type CredentialRef,
	inviteThree,
	n8nNode,
	type SavedNode,
	THREE_ADDRESSES,
} from '../support/n8n/nodes.mts';
import { WITH_EDITOR } from '../support/n8n/process.mts';
import { agentPermissionTests } from './agentPermissionTests.mts';
import { enteredValueTests } from './enteredValueTests.mts';

let fixture: N8nFixture;
let argyle: FakeArgyle;
let credential: CredentialRef;

beforeAll(async () => {
	// Schema previews need it.
	fixture = await startN8nFixture({ env: WITH_EDITOR });
	({ argyle, credential } = await fixture.connectArgyle());
});
afterAll(async () => await fixture.stop());

const run = async (name: string, nodes: SavedNode[], connections?: Json) =>
	await runNodes(fixture.client, name, nodes, connections);
const connect = async () => await fixture.connectArgyle();
enteredValueTests({ run, connect });
agentPermissionTests({
	...{ run, connect },
	createCredential: async (type, data) => await fixture.client.createCredential(type, type, data),
});

it("invites the people of a CSV file, which n8n's own nodes have written and read", async () => {
	argyle.messages.length = 0;
	const [people, invite] = inviteThree(credential);
	if (people === undefined || invite === undefined) throw new Error('there are no two nodes');
	// n8n, like Excel, begins the file with a mark, which would become a part of the first column's name.
	const read = n8nNode('Read CSV', 'extractFromFile', { options: { enableBOM: true } });
	const nodes = [people, n8nNode('Write CSV', 'convertToFile', {}, 1.1), read, invite];
	const { status, error, output } = await run('Invite the people of a file', nodes);
	expect({ status, error }).toEqual({ status: 'success', error: undefined });
	expect(output.Invite?.map(({ json }) => json.email)).toEqual(THREE_ADDRESSES);
	expect(THREE_ADDRESSES.map((address) => argyle.messagesTo(address))).toEqual([1, 1, 1]);
});

it('n8n serves the schema preview of each operation, to show its fields before it ran', async () => {
	const operations = resources.flatMap(({ value, operations: all }) => all.map((each) => `${value}/${each.value}`));
	const missing: string[] = [];
	for (const operation of operations) {
		const path = `/schemas/n8n-nodes-argyle.argyle/1.0.0/${operation}.json`;
		const preview = await (await fetch(fixture.client.origin + path)).text();
		if (!preview.includes('"properties"')) missing.push(operation);
	}
	expect(missing).toEqual([]);
});

it("works in n8n's HTTP Request node, but for no host that the credential's allowed domains leave out", async () => {
	const { argyle: service, credential: shared, credentialData: fields } = await fixture.connectArgyle();
	const options = {
		url: `${service.origin}/v2/users`,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'argyleApi',
	};
	const request = { ...n8nNode('Request', 'httpRequest', options, 4.2), credentials: { argyleApi: shared } };
	const { output } = await run('HTTP Request', [request]);
	expect(output.Request?.[0]?.json.results).toHaveLength(service.users.size);

	const argyleOnly = { allowedHttpRequestDomains: 'domains', allowedDomains: 'api.argyle.com, api-sandbox.argyle.com' };
	service.requests.length = 0;
	for (const [restriction, message] of [
		[argyleOnly, 'Domain not allowed'],
		[{ allowedHttpRequestDomains: 'none' }, 'prevent use within an HTTP Request'],
	] as const) {
		await fixture.client.updateCredential(shared, 'argyleApi', { ...fields, ...restriction });
		expect((await run('HTTP Request to another host', [request])).error).toContain(message);
	}
	expect(service.requests).toHaveLength(0);
	const users = { resource: 'user', operation: 'getAll', returnAll: true, filters: {} };
	const { output: own } = await run('Argyle node', [argyleNode(shared, users)]);
	expect(own.Argyle).toHaveLength(service.users.size);
});
