// Makes ready what the browser suite needs beside n8n: Debian's Chromium, and what drives it.
import { join } from 'node:path';
import { installPackages, isThere } from '../../../scripts/debian.mjs';
import { ensureInstalled } from '../../../scripts/install.mjs';

await ensureInstalled(join(process.cwd(), 'test', 'e2e', 'browser'), "Chromium's driver", 'a few seconds');
await installPackages(isThere('chromium') ? [] : ['chromium'], 'The browser suite');
