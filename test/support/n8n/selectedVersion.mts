import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../paths.mts';

const VERSIONS_FOLDER = join(root, 'test', 'support', 'n8n', 'versions');

/** The first n8n that answers a publication before the trigger is registered. */
const FIRST_WITH_PUBLICATION_SERVICE = '2.40.0';

/** The oldest n8n that was seen to hand an agent the error of its tool. 2.14 ends the workflow. */
const FIRST_WITH_TOOL_ERRORS = '2.39.0';

/** The first n8n that has today's name for the address of its webhooks, which holds for tests too. */
const FIRST_WITH_N8N_WEBHOOK_URL = '2.30.0';

/** The oldest n8n whose migration report to n8n 3 was read. */
const FIRST_WITH_MIGRATION_REPORT = '2.41.0';

const byVersion = (one: string, other: string) => one.localeCompare(other, 'en', { numeric: true });

const versions = readdirSync(VERSIONS_FOLDER).sort(byVersion);

const { N8N_VERSION, N8N_USE_WORKFLOW_PUBLICATION_SERVICE } = process.env;

const version = N8N_VERSION || (versions.at(-1) ?? '');

if (!versions.includes(version)) {
	throw new Error(`N8N_VERSION is "${version}", but ${VERSIONS_FOLDER} has only ${versions.join(', ')}`);
}

/** Where the n8n that the suites start is installed: version `N8N_VERSION`, or the newest one there is. */
export const n8nFolder = join(VERSIONS_FOLDER, version);

/**
 * `N8N_COMMAND` runs n8n where npm has none, such as a script that starts it in a container which shares this machine's
 * network and files. It is called with `start`, and gets all settings as environment variables. Empty without it.
 */
export const givenCommand = (process.env.N8N_COMMAND ?? '').split(' ').filter((part) => part !== '');

/**
 * `N8N_URL` is the address of an n8n that was started by hand and has the package, for suites that don't look into its
 * files, restart it or set its environment. Its owner is the one of `client.mts`; a new n8n gets it.
 */
export const givenUrl = process.env.N8N_URL;

/** Whether that n8n registers a trigger before it answers a publication: up to 2.39 always, later if set to. */
export const hasLegacyActivation =
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE === 'false' || byVersion(version, FIRST_WITH_PUBLICATION_SERVICE) < 0;

/** Whether the error of an agent's tool ends the workflow, unless the tool's On Error says to continue. */
export const toolErrorsEndWorkflows = byVersion(version, FIRST_WITH_TOOL_ERRORS) < 0;

/** The variable by which the selected n8n gets its public address. */
export const webhookUrlVariable =
	byVersion(version, FIRST_WITH_N8N_WEBHOOK_URL) < 0 ? 'WEBHOOK_URL' : 'N8N_WEBHOOK_URL';

/** Whether its migration report says what n8n 3 takes away. */
export const hasMigrationReport = byVersion(version, FIRST_WITH_MIGRATION_REPORT) >= 0;

/** Modules that no suite needs. n8n does not start with the name of one that it doesn't have yet. */
export const disabledModules = [
	...['chat-hub', 'mcp', 'insights'],
	...(byVersion(version, '2.39.0') < 0 ? [] : ['mcp-registry', 'instance-ai', 'agents']),
];
