import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJson } from '../support/json.mts';
import { placesOf } from '../support/n8n/database.mts';
import { type N8nFixture, startN8nFixture } from '../support/n8n/fixture.mts';
import { runN8nCommand } from '../support/n8n/process.mts';
import { until } from '../support/n8n/until.mts';
import { FaultFixture } from './faultFixture.mts';

let n8nFixture: N8nFixture;
beforeAll(async () => {
	n8nFixture = await startN8nFixture({ activation: 'publication' });
}, 180_000);
afterAll(async () => await n8nFixture.stop(), 60_000);

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
	const key = await n8nFixture.client.call('POST', '/api-keys', { label: 'Reader', scopes, expiresAt: null });
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
	await until('it listens', 20_000, async () => fixture.ownSubscriptions(fixture.testUrl)[0]);
	await client.stopListening(id);
	await fixture.untilLooked(async () => await fixture.publish());
	const { form } = await argyle.submitForm();
	const [execution] = await client.waitForExecutions(id, 1);
	await fixture.untilLooked(async () => await n8nFixture.restart({ env: { N8N_LOG_LEVEL: 'debug' } }));
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
	expect(answers.filter(([, text]) => text.includes(form.id)).length).toBeGreaterThan(2);
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
