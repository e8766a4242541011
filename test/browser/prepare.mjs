// Makes ready what the browser suite needs beside n8n: Debian's Chromium, and what drives it.
import { join } from 'node:path';
import { installPackages, isThere } from '../debian.mjs';
import { ensureInstalled } from '../install.mjs';

await ensureInstalled(join(process.cwd(), 'test', 'browser'), "Chromium's driver", 'a few seconds');
await installPackages(isThere('chromium') ? [] : ['chromium'], 'The browser suite');
