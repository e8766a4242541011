import type { FakeArgyle, StoredRecord } from '../support/fakeArgyle/index.mts';
import { type FakeGoogle, startFakeGoogle } from '../support/fakeGoogle.mts';
import type { Json } from '../support/json.mts';
import { type Mailbox, type Part, partsOf, startMailbox } from '../support/mailbox.mts';
import type { N8nClient } from '../support/n8n/client.mts';
import { type ExampleCredentials, importExample } from '../support/n8n/example.mts';
import { startN8nFixture } from '../support/n8n/fixture.mts';
import type { StoredWorkflow } from '../support/n8n/workflow.mts';

const DAY_MS = 86_400_000;

/** An n8n with a credential for each service that an example uses, all of which are fakes. */
export interface ExampleFixture {
	client: N8nClient;
	argyle: FakeArgyle;
	mailbox: Mailbox;
	google: FakeGoogle;
	credentials: ExampleCredentials;
	importWorkflow: (file: string, changes?: Record<string, Json>, samples?: Json) => Promise<StoredWorkflow>;
	onlyMail: () => Part[];
	stop: () => Promise<void>;
}

export async function startExampleFixture(): Promise<ExampleFixture> {
	const mailbox = await startMailbox();
	const google = await startFakeGoogle();
	const fixture = await startN8nFixture({ env: google.env });
	const { client } = fixture;
	const { argyle, credential } = await fixture.connectArgyle({ retryAfterMs: 500 });
	const credentials = {
		argyleApi: credential,
		httpBasicAuth: await client.createCredential('Form', 'httpBasicAuth', { user: 'team', password: 'secret' }),
		smtp: await client.createCredential('Mail', 'smtp', mailbox.credentialData),
		googleDriveOAuth2Api: await client.createCredential('Drive', 'googleDriveOAuth2Api', google.credentialData),
		slackApi: await client.createCredential('Slack', 'slackApi', google.slackCredentialData),
		googleSheetsOAuth2Api: await client.createCredential('Sheets', 'googleSheetsOAuth2Api', google.credentialData),
	};
	return {
		...{ client, argyle, mailbox, google, credentials },
		importWorkflow: async (file, changes, samples) => await importExample(client, credentials, file, changes, samples),
		onlyMail: () => {
			expect(mailbox.mails).toMatchObject([{ from: 'n8n@example.com', to: ['team@example.com'] }]);
			return mailbox.mails.flatMap(partsOf);
		},
		stop: async () => {
			await fixture.stop();
			mailbox.stop();
			google.stop();
		},
	};
}

export const chosen = (value: string) => ({ __rl: true, mode: 'list', value });

/** Fills in the form of a published example, as its team does; resolves with the status of the answer. */
export async function fillInForm({ origin }: N8nClient, webhookId: string, values: string[]): Promise<number> {
	const body = new FormData();
	for (const [index, value] of values.entries()) body.set(`field-${index}`, value);
	const headers = { Authorization: `Basic ${btoa('team:secret')}` };
	return (await fetch(`${origin}/form/${webhookId}`, { method: 'POST', headers, body })).status;
}

/** Of a part of a mail; long lines have soft breaks (quoted-printable). */
export const textOf = (part: Part | undefined) => String(part?.bytes).replaceAll('=\r\n', '');

export function userWith({ users }: FakeArgyle, externalId: string): StoredRecord {
	const user = [...users.values()].find(({ external_id: id }) => id === externalId);
	if (user === undefined) throw new Error(`there is no user ${externalId}`);
	return user;
}

export const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
