import type { Json } from '../../support/json.mts';
import { importExample, readExamples } from '../../support/n8n/example.mts';
import type { BrowserFixture } from './browserFixture.mts';
import { takeScreenshot } from './screenshots.mts';

const chosen = (value: string) => ({ __rl: true, mode: 'list', value, cachedResultName: value });

const SHEET = { parameters: { documentId: chosen('People'), sheetName: chosen('Sheet 1') } };

const INVITE_SHEETS = Object.fromEntries(
	['People', 'Write Sending', 'Write Result', 'People Afterwards'].map((node) => [node, SHEET]),
);

/** By the picture's name: the example, and what its note says to choose. */
const PICTURES: Array<[picture: string, file: string, changes: Record<string, Json>]> = [
	['example-invites', 'sheet-to-invites.json', INVITE_SHEETS],
	['example-form', 'form-to-new-invite.json', {}],
	['example-receipt', 'form-to-receipt-by-email.json', {}],
];

/** Takes pictures of imported examples. Rejects when a node lacks anything that the example's note does not name. */
export async function showExamples({ client, editor }: BrowserFixture): Promise<void> {
	const google = { clientId: 'id', clientSecret: 'secret', oauthTokenData: { access_token: 'token' } };
	const credentials = {
		argyleApi: await client.createCredential('Argyle', 'argyleApi', { apiKeyId: 'id', apiKeySecret: 'secret' }),
		smtp: await client.createCredential('Mail', 'smtp', { host: 'localhost', port: 25 }),
		googleSheetsOAuth2Api: await client.createCredential('Sheets', 'googleSheetsOAuth2Api', google),
	};
	for (const [picture, file, changes] of PICTURES) {
		const { id } = await importExample(client, credentials, file, changes);
		const nodes = readExamples().find((each) => each.file === file)?.nodes ?? [];
		const names = nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote').map(({ name }) => String(name));
		await editor.openWorkflow(id);
		const [first = ''] = names;
		await editor.nodeOnCanvas(first).waitFor();
		await editor.fitCanvas();
		if ((await editor.nodeIssues.count()) > 0) throw new Error(`n8n shows issues in ${file}`);
		await takeScreenshot(
			editor.page,
			picture,
			...names.flatMap((name) => [editor.nodeOnCanvas(name), editor.labelOnCanvas(name)]),
		);
	}
}
