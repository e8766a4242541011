// Makes ready what queue mode needs beside n8n: the programs of Postgres and Redis, from Debian's packages.
import { existsSync } from 'node:fs';
import { installPackages, isThere } from '../../../scripts/debian.mjs';

await installPackages(
	[
		...(existsSync('/usr/lib/postgresql') ? [] : ['postgresql']),
		...(isThere('redis-server') ? [] : ['redis-server']),
		...(isThere('setpriv') ? [] : ['util-linux']),
	],
	'Queue mode',
);
