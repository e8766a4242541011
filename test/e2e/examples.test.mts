import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isJson } from '../support/json.mts';
import { readExamples } from '../support/n8n/example.mts';
import { n8nNode } from '../support/n8n/nodes.mts';
import { hasMigrationReport } from '../support/n8n/selectedVersion.mts';
import { root } from '../support/paths.mts';
import { agentTests } from './agentTests.mts';
import { emailExampleTests } from './emailExampleTests.mts';
import { type ExampleFixture, startExampleFixture } from './exampleFixture.mts';
import { folderExampleTests } from './folderExampleTests.mts';
import { inviteExampleTests } from './inviteExampleTests.mts';
import { outageExampleTests } from './outageExampleTests.mts';
import { recoveryExampleTests } from './recoveryExampleTests.mts';
import { reportExampleTests } from './reportExampleTests.mts';
import { sheetExampleTests } from './sheetExampleTests.mts';
import { subscriptionExampleTests } from './subscriptionExampleTests.mts';
import { teamExampleTests } from './teamExampleTests.mts';

let fixture: ExampleFixture;

beforeAll(async () => {
	fixture = await startExampleFixture();
});
afterAll(async () => await fixture.stop());
afterEach(() => {
	fixture.mailbox.mails.length = 0;
});

// In this order: the receipts are those of the first three users, to whom invites add more; the paystubs go into an
// empty sheet, which the invites fill anew; and the first user is erased when nothing but the agent needs it.
const started = () => fixture;
emailExampleTests(started);
recoveryExampleTests(started);
sheetExampleTests(started);
inviteExampleTests(started);
subscriptionExampleTests(started);
folderExampleTests(started);
teamExampleTests(started);
reportExampleTests(started);
outageExampleTests(started);
agentTests(started);

it('no example holds a key or a secret in what n8n exports of it, after all of them ran', async () => {
	const { client, argyle } = fixture;
	const workflows = await client.workflows({});
	expect(workflows.length).toBeGreaterThanOrEqual(readdirSync(join(root, 'examples')).length - 1);
	for (const { id, name } of workflows) {
		const answer = JSON.stringify(await client.call('GET', `/workflows/${id}`));
		expect([name, answer.includes(argyle.key.secret)]).toEqual([name, false]);
		// Every derived secret looks like this, and n8n's own checksum of the workflow.
		expect([name, answer.match(/.{0,13}[\da-f]{64}/g)]).toEqual([name, [expect.stringMatching(/^,"checksum":"/)]]);
	}
});

if (hasMigrationReport) {
	it("n8n's own migration report names no example, for each version that it knows", async () => {
		const { client } = fixture;
		const flagged = n8nNode('Each', 'executeWorkflow', { mode: 'each', workflowId: '1' }, 1.2);
		await client.createWorkflow('Made to be flagged', [flagged], {});
		const workflows = await client.workflows({});
		const examples = readExamples().map(({ name }) => name);
		expect(workflows.map(({ name }) => name)).toEqual(expect.arrayContaining(examples));
		const affected = new Set<unknown>();
		for (const version of ['v2', 'v3']) {
			const report = await client.call('GET', `/breaking-changes/report?version=${version}`);
			for (const rule of rulesIn(report)) {
				const result = await client.call('GET', `/breaking-changes/report/${rule}`);
				const names = isJson(result) && Array.isArray(result.affectedWorkflows) ? result.affectedWorkflows : [];
				for (const workflow of names) affected.add(isJson(workflow) && workflow.name);
			}
		}
		expect([...affected]).toContain('Made to be flagged');
		expect(examples.filter((name) => affected.has(name))).toEqual([]);
	});
}

/** The rules that some workflow of this n8n breaks. */
function rulesIn(answer: unknown): string[] {
	const report = isJson(answer) && isJson(answer.report) ? answer.report : {};
	const results: unknown[] = Array.isArray(report.workflowResults) ? report.workflowResults : [];
	return results.filter(isJson).map(({ ruleId }) => String(ruleId));
}
