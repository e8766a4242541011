import { type BrowserFixture, startBrowserFixture } from './browserFixture.mts';
import { showExamples } from './examples.mts';
import { E2E_TESTS_OF_N8N, findExecutions } from './executionFilter.mts';
import { seeHints } from './hints.mts';

const TIMEOUT_MS = 180_000;

let fixture: BrowserFixture;
beforeAll(async () => {
	fixture = await startBrowserFixture(E2E_TESTS_OF_N8N);
	await fixture.editor.signIn(fixture.client.owner);
}, TIMEOUT_MS);
afterAll(async () => await fixture.stop());

it(
	'n8n shows no issue in three imported examples, once what their notes name is chosen',
	async () => {
		await showExamples(fixture);
	},
	TIMEOUT_MS,
);

it(
	'n8n shows one hint above a masked output, a sample, events that clash and missing Items, and none above what is well',
	async () => {
		await seeHints(fixture);
	},
	TIMEOUT_MS,
);

it(
	'the execution of a form is found by its ID, and by that of its user',
	async () => {
		await findExecutions(fixture);
	},
	TIMEOUT_MS,
);
