import { join } from 'node:path';
import { installPackages, isThere } from '../../../scripts/debian.mjs';
import { ensureInstalled } from '../../../scripts/install.mjs';
import prepareN8n from '../../support/n8n/prepare.mjs';

/** The `globalSetup` of the browser suite: n8n, Debian's Chromium, and playwright-core, which drives it. */
export default async function prepareBrowser() {
	await prepareN8n();
	await ensureInstalled(join(process.cwd(), 'test', 'e2e', 'browser'), 'playwright-core', 'a few seconds');
	await installPackages(isThere('chromium') ? [] : ['chromium'], 'The browser suite');
}
