import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'flatted';
import { USER_TOKEN_SIGNATURE } from '../support/fakeArgyle/invites.mts';
import { isJson } from '../support/json.mts';
import { placesOf } from '../support/n8n/database.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import {
	argyleNode,
	type CredentialRef,
	inviteThree,
	n8nNode,
	type SavedNode,
	THREE_ADDRESSES,
} from '../support/n8n/nodes.mts';
import { runN8nCommand } from '../support/n8n/process.mts';
import { until } from '../support/n8n/until.mts';
import { FaultFixture } from './faultFixture.mts';

let n8nFixture: N8nFixture;
beforeAll(async () => {
	n8nFixture = await startN8nFixture({ env: { N8N_LOG_LEVEL: 'debug' } });
});
afterAll(async () => await n8nFixture.stop());

/** Everything that n8n has stored, without the code of the installed package. */
function filesOf(userFolder: string): Array<[string, string]> {
	return readdirSync(userFolder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !`${entry.parentPath}/`.includes('/node_modules/'))
		.map((entry) => join(entry.parentPath, entry.name))
		.map((file) => [file, readFileSync(file, 'latin1')]);
}

/** The answers of n8n's public API to somebody who may read workflows and executions. */
async function publicAnswers(paths: string[]): Promise<Array<[string, string]>> {
	const scopes = ['workflow:read', 'workflow:list', 'execution:read', 'execution:list'];
	const key = await n8nFixture.client.call('POST', '/api-keys', { label: randomUUID(), scopes, expiresAt: null });
	const headers = { 'X-N8N-API-KEY': isJson(key) ? String(key.rawApiKey) : '' };
	return await Promise.all(
		paths.map(async (path): Promise<[string, string]> => {
			const response = await fetch(`${n8nFixture.n8n.origin}/api/v1${path}`, { headers });
			expect(response.status).toBe(200);
			return [`/api/v1${path}`, await response.text()];
		}),
	);
}

it('keeps the secrets of subscriptions out of the database, files, logs, answers and exports', async () => {
	const fixture = await FaultFixture.create(n8nFixture, 'Secrets');
	const { client, argyle, trigger } = fixture;
	const { id } = fixture.workflow;
	await client.run(id, trigger.name);
	await until('it listens', 120_000, async () => fixture.ownSubscriptions(fixture.testUrl)[0]);
	await client.stopListening(id);
	await fixture.untilLooked(async () => await fixture.publish());
	const { form } = await argyle.submitForm();
	const [execution] = await client.waitForExecutions(id, 1);
	await fixture.untilLooked(async () => await n8nFixture.restart());
	const exported = join(n8nFixture.n8n.userFolder, 'exported.json');
	await runN8nCommand(n8nFixture.n8n.userFolder, 'export:workflow', '--all', `--output=${exported}`);

	const executionPath = `/executions/${execution?.id}`;
	const own = [`/workflows/${id}`, `/executions?filter=${encodeURIComponent(JSON.stringify({ workflowId: id }))}`];
	const answers = [
		...(await Promise.all(
			[...own, executionPath].map(
				async (path): Promise<[string, string]> => [`/rest${path}`, JSON.stringify(await client.call('GET', path))],
			),
		)),
		...(await publicAnswers(['/workflows', `/workflows/${id}`, `${executionPath}?includeData=true`])),
	];
	// Each has what it is looked through for at all.
	for (const [place, text] of answers) expect([place, text]).toEqual([place, expect.stringContaining(id)]);
	expect(answers.filter(([, text]) => text.includes(form.id)).length).toBeGreaterThan(1);
	expect(readFileSync(exported, 'utf8')).toContain(fixture.ownSubscription().id);

	const secrets = fixture.subscriptionSecrets();
	expect(secrets).toHaveLength(2);
	const texts = [...answers, ...filesOf(n8nFixture.n8n.userFolder)];
	for (const secret of secrets) {
		const shapes = [secret, Buffer.from(secret, 'hex').toString('base64')];
		expect(shapes.flatMap((shape) => placesOf(n8nFixture.n8n, shape))).toEqual([]);
		const places = texts.filter(([, text]) => shapes.some((shape) => text.includes(shape)));
		expect(places.map(([place]) => place)).toEqual([]);
	}
}, 300_000);

const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** Everything whose answer has a token or a link: an invite, a user, a verification and its sessions. */
function invitingNodes(credential: CredentialRef): SavedNode[] {
	const invite = { resource: 'invite', inviteId: byId("={{ $('Send').first().json.id }}") };
	const user = byId("={{ $('Create').first().json.id }}");
	const verification = byId("={{ $('Order').first().json.id }}");
	const byMail = { sendBy: 'email', email: 'alex@example.com', skipInvited: 'none', additionalFields: {} };
	const name = { firstName: 'Alex', lastName: 'Sample' };
	const operations: Record<string, Record<string, unknown>> = {
		Send: { resource: 'invite', operation: 'send', ...name, ...byMail },
		Get: { ...invite, operation: 'get' },
		Resend: { ...invite, operation: 'resend' },
		'Get Many': { resource: 'invite', operation: 'getAll', returnAll: true, filters: {} },
		Revoke: { ...invite, operation: 'revoke' },
		Create: { resource: 'user', operation: 'create', additionalFields: name },
		Order: { resource: 'verification', operation: 'order', reportType: 'voie', userId: user, additionalFields: {} },
		Link: { resource: 'session', operation: 'createLink', verificationId: verification, additionalFields: {} },
		Invite: { resource: 'session', operation: 'sendInvite', userId: user, ...byMail },
	};
	return Object.entries(operations).map(([node, parameters]) => argyleNode(credential, parameters, { name: node }));
}

/** What n8n keeps of an execution beside the output of its nodes: errors, hints, metadata. */
function besideOutput(execution: unknown): string {
	const run: unknown = isJson(execution) ? parse(String(execution.data)) : undefined;
	const runData = isJson(run) && isJson(run.resultData) && isJson(run.resultData.runData) ? run.resultData.runData : {};
	const tasks = Object.values(runData).flatMap((each): unknown[] => (Array.isArray(each) ? each : []));
	expect(tasks.length).toBeGreaterThan(1);
	for (const task of tasks) if (isJson(task)) delete task.data;
	return JSON.stringify(run);
}

/** What n8n answers about workflows and executions, but for the list of all of them. */
async function answersAbout(runs: Array<{ workflowId: string; id: string }>): Promise<Array<[string, string]>> {
	const workflows = runs.map(({ workflowId }) => `/workflows/${workflowId}`);
	const executions = runs.map(({ id }) => `/executions/${id}`);
	const internal = [...workflows, ...executions, '/workflows', '/executions'].map(
		async (path): Promise<[string, string]> => [
			`/rest${path}`,
			JSON.stringify(await n8nFixture.client.call('GET', path)),
		],
	);
	const paths = [...workflows, ...executions.map((path) => `${path}?includeData=true`), '/executions'];
	return [...(await Promise.all(internal)), ...(await publicAnswers(paths))];
}

it('keeps user tokens out of everything, and links in the output of the nodes that were asked for them', async () => {
	const { client, n8n } = n8nFixture;
	const { argyle, credential } = await n8nFixture.connectArgyle();
	const run = async (name: string, nodes: SavedNode[]) => {
		const all = [n8nNode('Start', 'manualTrigger'), ...nodes];
		const { id: workflowId } = await client.createWorkflow(name, all);
		const id = (await client.run(workflowId, 'Start')) ?? '';
		await client.waitForExecutions(workflowId, 1);
		return { ...(await client.execution(id)), workflowId };
	};
	const done = await run('Invites and sessions', invitingNodes(credential));
	expect(done).toMatchObject({ status: 'success', error: undefined });
	const links = ['Send', 'Link', 'Invite'].map((node) => {
		const { url, link } = done.output[node]?.[0]?.json ?? {};
		return String(url ?? link);
	});
	for (const link of links) expect(link).toMatch(/^https:\/\/\w+\.argyle\.com\//);
	const ofSuccess = new Set(argyle.invites.keys());

	const [first, second] = THREE_ADDRESSES;
	const post = { method: 'POST', path: '/v2/invites' };
	argyle.addFault({ ...post, kind: 'dropAfterCommit', matches: ({ email }) => email === first });
	argyle.addFault({ ...post, kind: 'status', status: 400, times: 3, matches: ({ email }) => email === second });
	const failed = await run('Invites of which one fails', inviteThree(credential));
	expect(failed.status).toBe('error');
	// Its answer was lost, and it was looked up; but the node failed with the next one.
	const [unseen, ...others] = [...argyle.invites.values()].filter(({ id }) => !ofSuccess.has(id));
	expect([unseen?.email, others]).toEqual([first, []]);

	const user_token = unseen?.user_token;
	expect(user_token).toMatch(USER_TOKEN_SIGNATURE);
	argyle.addFault({ ...post, kind: 'statusAfterCommit', status: 500, body: { detail: 'Failed.', user_token } });
	argyle.addFault({
		method: 'GET',
		path: '/v2/invites',
		kind: 'status',
		status: 200,
		body: { results: { user_token } },
	});
	const unclear = await run('An answer that nobody can read', invitingNodes(credential).slice(0, 1));
	expect(unclear).toMatchObject({ status: 'error', error: expect.stringMatching(/^It is not known whether/) });

	const answers = await answersAbout([done, failed, unclear]);
	const files = filesOf(n8n.userFolder);
	const placesIn = (texts: Array<[string, string]>, text: string) =>
		texts.filter(([, each]) => each.includes(text)).map(([place]) => place);
	expect(placesIn([...answers, ...files], USER_TOKEN_SIGNATURE)).toEqual([]);
	expect(placesOf(n8n, USER_TOKEN_SIGNATURE)).toEqual([]);
	expect(placesIn([...answers, ...files], String(unseen?.url))).toEqual([]);
	const beside = besideOutput(await client.call('GET', `/executions/${done.id}`));
	const shown = [`/rest/executions/${done.id}`, `/api/v1/executions/${done.id}?includeData=true`];
	for (const link of links) {
		expect(placesIn(answers, link)).toEqual(shown);
		expect(placesIn(files, link).filter((file) => !file.includes('database.sqlite'))).toEqual([]);
		expect(placesOf(n8n, link)).toEqual(['execution_data.data']);
		expect(beside).not.toContain(link);
	}

	// n8n's own node puts the token out, and the same search finds it.
	const parameters = {
		...{ url: `${argyle.origin}/v2/invites/${unseen?.id}`, options: {} },
		...{ authentication: 'predefinedCredentialType', nodeCredentialType: 'argyleApi' },
	};
	await run('HTTP Request', [
		{ ...n8nNode('Fetch', 'httpRequest', parameters, 4.2), credentials: { argyleApi: credential } },
	]);
	expect(placesOf(n8n, USER_TOKEN_SIGNATURE)).toContain('execution_data.data');
}, 300_000);
