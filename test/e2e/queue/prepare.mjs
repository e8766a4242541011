import { existsSync } from 'node:fs';
import { installPackages, isThere } from '../../../scripts/debian.mjs';
import prepareN8n from '../../support/n8n/prepare.mjs';

/** The `globalSetup` of the queue suite: n8n, and the Postgres and Redis of Debian's packages. */
export default async function prepareQueue() {
	await prepareN8n();
	const missing = [
		...(existsSync('/usr/lib/postgresql') ? [] : ['postgresql']),
		...(isThere('redis-server') ? [] : ['redis-server']),
		...(isThere('setpriv') ? [] : ['util-linux']),
	];
	await installPackages(missing, 'Queue mode');
}
