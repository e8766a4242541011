import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { type E2eFixture, startE2eFixture } from '../../support/n8n/stage.mts';
import { freePort } from '../../support/n8n/process.mts';
import { workFolder } from '../../support/paths.mts';
import { N8nScreen } from './n8nScreen.mts';

const ARGS = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--disable-dev-shm-usage',
];

/** The pictures show the stand-in's address: the same each time, unless it is taken. */
const SERVICE_PORT = 4010;

/** A browser in front of a new n8n, in which nobody has done anything yet. */
export interface BrowserFixture extends E2eFixture {
	screen: N8nScreen;
	/**
	 * Runs one step of a story; leaves a picture of what was on the screen when it fails. The steps after that fail at
	 * once.
	 */
	step(name: string, act: () => Promise<void>): Promise<void>;
}

/** Starts n8n, the stand-in service and Debian's Chromium; the sign-in page is open. */
export async function startBrowserFixture(): Promise<BrowserFixture> {
	const stage = await startE2eFixture({ port: await freePort(SERVICE_PORT) });
	// The person makes their own.
	await stage.client.call('DELETE', `/credentials/${stage.credential.id}`);
	const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ARGS });
	const page = await browser.newPage({
		viewport: { width: 1440, height: 960 },
		deviceScaleFactor: 2,
		colorScheme: 'light',
		timezoneId: 'UTC',
	});
	const screen = new N8nScreen(page);
	let failed: string | undefined;
	await page.goto(`${stage.n8n.origin}/workflow/new`);
	return {
		...stage,
		screen,
		async step(name, act) {
			if (failed !== undefined) throw new Error(`The story ended at "${failed}"`);
			await act().catch(async (error: unknown) => {
				failed = name;
				await page.screenshot({ path: join(workFolder, 'pictures', 'failed.png') });
				throw error;
			});
		},
		async stop() {
			await browser.close();
			await stage.stop();
		},
	};
}
