import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { workFolder } from '../paths.mts';
import { N8nClient } from './client.mts';
import { installPackage } from './installedPackage.mts';
import { startN8n } from './process.mts';
import { givenCommand, n8nFolder } from './selectedVersion.mts';

const usersFolder = join(workFolder, 'n8n');

/** With the packed package alone; `prepare.mjs` installs it anew for every run. */
const withPackage = join(usersFolder, 'package');

/** What this version of n8n makes of an empty folder: three seconds of a processor, which each fixture would need. */
const startedOnce = join(usersFolder, `started-${basename(n8nFolder)}`);

export function makeUserFolder(): string {
	mkdirSync(usersFolder, { recursive: true });
	return mkdtempSync(join(usersFolder, 'user-'));
}

/** Makes the folder of an n8n that has its database, its owner and the packed package. */
export function preparedUserFolder(): string {
	const userFolder = makeUserFolder();
	for (const folder of [startedOnce, withPackage])
		if (existsSync(folder)) cpSync(folder, userFolder, { recursive: true });
	return userFolder;
}

/** Prepares what `preparedUserFolder` copies. */
export async function prepareUserFolders(): Promise<void> {
	installPackage(withPackage);
	// What a given command runs may be another version at any time.
	if (givenCommand.length > 0 || existsSync(startedOnce)) return;
	const userFolder = makeUserFolder();
	const n8n = await startN8n({ userFolder });
	await new N8nClient(n8n.origin).signIn();
	await n8n.stop();
	// n8n leaves a log of what it wrote last beside its database.
	const database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'));
	database.exec('PRAGMA journal_mode = DELETE');
	database.close();
	renameSync(userFolder, startedOnce);
}
