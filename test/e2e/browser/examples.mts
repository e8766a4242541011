import type { Json } from '../../support/json.mts';
import { importExample, readExamples } from '../../support/n8n/example.mts';
import { paragraphSizeIn, SCREEN } from '../../support/n8n/openedWorkflow.mts';
import { until } from '../../support/n8n/until.mts';
import type { BrowserFixture } from './browserFixture.mts';
import type { N8nEditor } from './n8nEditor.mts';
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

/** Rejects unless the notes are as large as the unit tests count, and have room for what they say. */
async function seeNotes(editor: N8nEditor, file: string, nodes: Json[]): Promise<void> {
	const count = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote').length;
	const expected = paragraphSizeIn(nodes);
	const texts = await until(`the notes of ${file} have a text of ${expected} pixels`, 60_000, async () => {
		const seen = await editor.noteTexts();
		return seen.length === count && seen.every(({ size }) => Math.abs(size - expected) < 0.2) ? seen : undefined;
	});
	for (const { room } of texts) if (room < 0) throw new Error(`A note of ${file} is ${-room} pixels too short`);
}

/**
 * Takes pictures of imported examples. Rejects when a node lacks anything that the example's note does not name, or
 * when the note can't be read as n8n opens the example.
 */
export async function showExamples({ client, editor }: BrowserFixture): Promise<void> {
	const google = { clientId: 'id', clientSecret: 'secret', oauthTokenData: { access_token: 'token' } };
	const credentials = {
		argyleApi: await client.createCredential('Argyle', 'argyleApi', { apiKeyId: 'id', apiKeySecret: 'secret' }),
		smtp: await client.createCredential('Mail', 'smtp', { host: 'localhost', port: 25 }),
		googleSheetsOAuth2Api: await client.createCredential('Sheets', 'googleSheetsOAuth2Api', google),
	};
	for (const [picture, file, changes] of PICTURES) {
		await editor.page.setViewportSize(SCREEN);
		const { id } = await importExample(client, credentials, file, changes);
		const nodes = readExamples().find((each) => each.file === file)?.nodes ?? [];
		const names = nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote').map(({ name }) => String(name));
		await editor.openWorkflow(id);
		const [first = ''] = names;
		await editor.nodeOnCanvas(first).waitFor();
		await seeNotes(editor, file, nodes);
		// So high that n8n's buttons stand below the nodes.
		await editor.page.setViewportSize({ ...SCREEN, height: 1_100 });
		await editor.fitCanvas();
		if ((await editor.nodeIssues.count()) > 0) throw new Error(`n8n shows issues in ${file}`);
		await takeScreenshot(
			editor.page,
			picture,
			...names.flatMap((name) => [editor.nodeOnCanvas(name), editor.labelOnCanvas(name)]),
		);
	}
}
