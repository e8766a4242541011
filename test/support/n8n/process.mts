import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { root } from '../paths.mts';
import { disabledModules, givenCommand, n8nFolder } from './selectedVersion.mts';
import { until } from './until.mts';

const START_DEADLINE_MS = 240_000;
const STOP_DEADLINE_MS = 20_000;
const ANSWER_DEADLINE_MS = 2_000;

/** Keeps n8n from connecting to anything outside this machine, and from listening to anything but this machine. */
const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_REINSTALL_MISSING_PACKAGES: 'false',
	N8N_AI_ENABLED: 'false',
	N8N_DISABLED_MODULES: disabledModules.join(),
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_HOST: '127.0.0.1',
	N8N_SECURE_COOKIE: 'false',
	N8N_ENCRYPTION_KEY: 'only-for-this-machine',
	N8N_ENFORCE_SETTINGS_FILE_PERMISSIONS: 'false',
};

/** Saves n8n from copying its editor at each start, which takes a third of the start's time. */
export const WITHOUT_EDITOR = { N8N_DISABLE_UI: 'true' };

/** For what n8n serves only together with its editor. */
export const WITH_EDITOR = { N8N_DISABLE_UI: 'false' };

/** Sets up a sandbox only where a node has expressions, as docs/running.md advises, instead of with every delivery. */
export const SANDBOX_WHEN_NEEDED = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

export interface N8nOptions {
	/** The folder of n8n's database and the installed package. */
	userFolder: string;
	/** @default any free port */
	port?: number;
	/** @default 'start', the main process */
	command?: 'start' | 'worker' | 'webhook';
	env?: Record<string, string>;
}

const program = join(n8nFolder, 'node_modules', 'n8n', 'bin', 'n8n');

const endWithParent = pathToFileURL(join(root, 'test', 'support', 'n8n', 'endWithParent.mjs')).href;

/** How n8n is run: by the command that was given, or as npm has installed it. */
function invocation(command: string[], nodeOptions: string[] = []): { file: string; args: string[] } {
	const [file, ...args] = givenCommand;
	return file === undefined
		? { file: process.execPath, args: [...nodeOptions, program, ...command] }
		: { file, args: [...args, ...command] };
}

function environmentFor(userFolder: string): NodeJS.ProcessEnv {
	return {
		...process.env,
		// Jest sets it to "test", with which n8n does not start.
		NODE_ENV: 'production',
		NODE_OPTIONS: '',
		// A start of n8n compiles thousands of modules, which takes a fourth of its processor time.
		NODE_COMPILE_CACHE: join(root, '.work', 'compiled'),
		...QUIET,
		N8N_USER_FOLDER: userFolder,
	};
}

/** Below the range from which the system assigns ports, and probably not where another process of the tests begins. */
let nextPort = randomInt(10_000, 30_000);

/** Returns a free port on loopback: `wanted` or the next free one after it, or one that was not returned before. */
export async function freePort(wanted?: number): Promise<number> {
	const port = wanted ?? nextPort++;
	if (await isFree(port)) return port;
	return await freePort(wanted === undefined ? undefined : wanted + 1);
}

async function isFree(port: number): Promise<boolean> {
	return await new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', (error: NodeJS.ErrnoException) =>
			error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
		);
		server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
	});
}

export class RunningN8n {
	readonly origin: string;

	readonly userFolder: string;

	readonly logFile: string;

	/** None for an n8n that was started by hand. */
	private readonly child: ChildProcess | undefined;

	private readonly ended: Promise<unknown>;

	constructor(child: ChildProcess | undefined, origin: string, userFolder: string) {
		this.child = child;
		this.origin = origin;
		this.userFolder = userFolder;
		this.logFile = join(userFolder, 'n8n.log');
		this.ended = new Promise((resolve) => (child === undefined ? resolve(undefined) : child.once('exit', resolve)));
	}

	get pid(): number {
		if (this.child?.pid === undefined) throw new Error('n8n was not started');
		return this.child.pid;
	}

	get hasEnded(): boolean {
		return this.child !== undefined && (this.child.exitCode !== null || this.child.signalCode !== null);
	}

	/** Stops n8n; kills it after 20 s. */
	async stop(): Promise<void> {
		if (this.child === undefined) return;
		this.child.kill('SIGTERM');
		const late = setTimeout(() => this.child?.kill('SIGKILL'), STOP_DEADLINE_MS);
		await this.ended;
		clearTimeout(late);
		// n8n copies its editor there at every start: 700 minified files, which n8n's lint would read.
		rmSync(join(this.userFolder, '.cache'), { recursive: true, force: true });
	}

	async kill(): Promise<void> {
		this.child?.kill('SIGKILL');
		await this.ended;
	}
}

/** Runs one of n8n's commands, such as an export, on the data in a user folder. */
export async function runN8nCommand(userFolder: string, ...command: string[]): Promise<void> {
	const { file, args } = invocation(command);
	await promisify(execFile)(file, args, { env: environmentFor(userFolder) });
}

/**
 * Starts the selected version of n8n and waits until it is ready; throws with the end of its log after four minutes. It
 * ends when this process does.
 */
export async function startN8n({ userFolder, port, command = 'start', env = {} }: N8nOptions): Promise<RunningN8n> {
	mkdirSync(userFolder, { recursive: true });
	const ownPort = await freePort(port);
	// A file, not a pipe to this process: n8n loops for ever once it can't write its log.
	const log = openSync(join(userFolder, 'n8n.log'), 'a');
	const { file, args } = invocation([command], ['--import', endWithParent]);
	const child = spawn(file, args, {
		cwd: userFolder,
		// In a process group of its own, which Ctrl-C at a terminal does not reach: workflows are unpublished first.
		detached: true,
		env: {
			...environmentFor(userFolder),
			...(command === 'worker'
				? { QUEUE_HEALTH_CHECK_ACTIVE: 'true', QUEUE_HEALTH_CHECK_PORT: String(ownPort) }
				: { N8N_PORT: String(ownPort) }),
			N8N_RUNNERS_BROKER_PORT: String(await freePort()),
			...env,
		},
		stdio: ['pipe', log, log],
	});
	closeSync(log);
	// The one that npm has installed ends by itself, even when this process is killed.
	if (givenCommand.length > 0) process.once('exit', () => child.kill());
	const n8n = new RunningN8n(child, `http://127.0.0.1:${ownPort}`, userFolder);
	try {
		await until('n8n is ready', START_DEADLINE_MS, async () => {
			if (n8n.hasEnded) throw new Error('n8n ended by itself');
			const answer = await fetch(`${n8n.origin}/healthz/readiness`, {
				signal: AbortSignal.timeout(ANSWER_DEADLINE_MS),
			}).catch(() => undefined);
			return answer?.ok === true ? true : undefined;
		});
	} catch (error) {
		await n8n.kill();
		throw new Error(
			`${error instanceof Error ? error.message : String(error)}\n${readFileSync(n8n.logFile, 'utf8').slice(-3_000)}`,
		);
	}
	return n8n;
}
