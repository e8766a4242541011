import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { type FakeArgyle, startFakeArgyle } from '../../support/fakeArgyle/index.mts';
import { startN8nFixture } from '../../support/n8n/fixture.mts';
import type { N8nClient } from '../../support/n8n/client.mts';
import { WITH_EDITOR } from '../../support/n8n/process.mts';
import { webhookUrlVariable } from '../../support/n8n/selectedVersion.mts';
import { workFolder } from '../../support/paths.mts';
import { freeOrigin, startProxy } from '../proxy/proxyServer.mts';
import { N8nEditor } from './n8nEditor.mts';

const CHROMIUM_ARGUMENTS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--disable-dev-shm-usage',
];

/** A browser at the sign-in page of a new n8n that has no workflows and credentials yet. */
export interface BrowserFixture {
	argyle: FakeArgyle;
	client: N8nClient;
	editor: N8nEditor;
	/** Runs one step of a story; a failed one leaves a screenshot, and all that follow fail at once. */
	step(name: string, run: () => Promise<void>): Promise<void>;
	stop(): Promise<void>;
}

/** Starts n8n behind an https proxy, a fake Argyle and Debian's Chromium; `env` are environment variables of n8n. */
export async function startBrowserFixture(env: Record<string, string> = {}): Promise<BrowserFixture> {
	const origin = await freeOrigin('https');
	const n8nFixture = await startN8nFixture({
		env: { ...WITH_EDITOR, [webhookUrlVariable]: origin.href, N8N_PROXY_HOPS: '1', ...env },
	});
	const proxy = await startProxy('Caddy', origin, n8nFixture.n8n.origin);
	const argyle = await startFakeArgyle({ requestsPerSecond: 1_000 });
	const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: CHROMIUM_ARGUMENTS });
	const page = await browser.newPage({
		viewport: { width: 1440, height: 960 },
		deviceScaleFactor: 2,
		colorScheme: 'light',
		timezoneId: 'UTC',
		ignoreHTTPSErrors: true,
	});
	const editor = new N8nEditor(page);
	let failedStep: string | undefined;
	await page.goto(new URL('/workflow/new', origin).href);
	return {
		argyle,
		client: n8nFixture.client,
		editor,
		async step(name, run) {
			if (failedStep !== undefined) throw new Error(`The step "${failedStep}" failed before`);
			await run().catch(async (error: unknown) => {
				failedStep = name;
				await page.screenshot({ path: join(workFolder, 'images', 'failed.png') });
				throw error;
			});
		},
		async stop() {
			await browser.close();
			await proxy.stop();
			await n8nFixture.stop();
			await argyle.stop();
		},
	};
}
