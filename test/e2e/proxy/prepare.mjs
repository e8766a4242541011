import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isThere, unpackPackages } from '../../../scripts/debian.mjs';
import prepareN8n from '../../support/n8n/prepare.mjs';

/**
 * The `globalSetup` of the proxy suite: n8n, and the nginx and Caddy of Debian's packages. They are unpacked, not
 * installed: their packages would start them as services.
 */
export default async function prepareProxy() {
	await prepareN8n();
	const folder = join(process.cwd(), '.work', 'debian');
	const missing = ['usr/sbin/nginx', 'usr/bin/caddy'].some((program) => !existsSync(join(folder, program)));
	if (missing) await unpackPackages(['nginx', 'caddy'], 'The proxy suite', folder);
	if (!isThere('setpriv')) throw new Error('The proxy suite needs util-linux. Install it, then start this again.');
}
