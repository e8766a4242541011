import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.mts';

const VERSIONS = join(root, 'test', 'n8n-versions');

/** The first n8n that answers a publication before its trigger is registered. */
const FIRST_ASYNCHRONOUS = [2, 40];

function folderOf(version: string | undefined): string {
	if (version === undefined || version === '') return join(root, 'test', 'n8n');
	const folder = join(VERSIONS, version);
	if (existsSync(folder)) return folder;
	throw new Error(`N8N_VERSION is "${version}", but test/n8n-versions has only ${readdirSync(VERSIONS).join(', ')}`);
}

function isBefore(version: string, [major = 0, minor = 0]: number[]): boolean {
	const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
	return ownMajor < major || (ownMajor === major && ownMinor < minor);
}

const { N8N_VERSION, N8N_USE_WORKFLOW_PUBLICATION_SERVICE } = process.env;

/** Where the n8n that the suites start is installed: the one that `N8N_VERSION` names, of `test/n8n-versions`; the newest without. */
export const n8nFolder = folderOf(N8N_VERSION);

/** Whether that n8n registers triggers before it answers: up to 2.39 by its age, later because its setting says so. */
export const isOlderN8n =
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE === 'false' || (!!N8N_VERSION && isBefore(N8N_VERSION, FIRST_ASYNCHRONOUS));
