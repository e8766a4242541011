import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/paths.mts';
import { agentTests } from './agentTests.mts';
import { emailExampleTests } from './emailExampleTests.mts';
import { type ExampleFixture, startExampleFixture } from './exampleFixture.mts';
import { folderExampleTests } from './folderExampleTests.mts';
import { inviteExampleTests } from './inviteExampleTests.mts';
import { recoveryExampleTests } from './recoveryExampleTests.mts';
import { sheetExampleTests } from './sheetExampleTests.mts';
import { subscriptionExampleTests } from './subscriptionExampleTests.mts';

let fixture: ExampleFixture;

beforeAll(async () => {
	fixture = await startExampleFixture();
}, 180_000);
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
agentTests(() => {
	const { client, argyle, credentials } = fixture;
	return { client, argyle, credential: credentials.argyleApi };
});

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
