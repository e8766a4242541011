import { join } from 'node:path';
import { installPackages, isThere } from '../../../scripts/debian.mjs';
import { ensureInstalled } from '../../../scripts/install.mjs';
import prepareProxy from '../proxy/prepare.mjs';

/** The `globalSetup` of the browser suite: n8n, a proxy, Debian's Chromium, and playwright-core, which drives it. */
export default async function prepareBrowser() {
	await prepareProxy();
	await ensureInstalled(join(process.cwd(), 'test', 'e2e', 'browser'), 'playwright-core', { usual: 5 });
	await installPackages(isThere('chromium') ? [] : ['chromium'], 'The browser suite');
}
