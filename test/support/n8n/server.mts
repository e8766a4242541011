import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { until } from './until.mts';

const START_DEADLINE_MS = 30_000;

/** A server in a folder of its own, on loopback. */
export interface Server {
	port: number;
	stop(): Promise<void>;
}

interface SystemUser {
	uid: number;
	gid: number;
}

/** The user as whom a server runs where this process is root's; undefined where it runs as whoever runs this. */
export function unprivileged(name: string): SystemUser | undefined {
	if (process.getuid?.() !== 0) return undefined;
	const id = (kind: string) => Number(execFileSync('id', [kind, name], { encoding: 'utf8' }));
	return { uid: id('-u'), gid: id('-g') };
}

/** Starts a program that ends when this process does. */
export function start(program: string, args: string[], folder: string, user?: SystemUser): ChildProcess {
	const as = user === undefined ? [] : [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
	const log = openSync(join(folder, 'server.log'), 'a');
	const child = spawn('setpriv', [...as, '--pdeathsig=TERM', program, ...args], {
		cwd: folder,
		stdio: ['ignore', log, log],
	});
	closeSync(log);
	return child;
}

export async function whenListening(what: string, child: ChildProcess, port: number, folder: string): Promise<Server> {
	await until(`${what} listens`, START_DEADLINE_MS, async () => {
		if (child.exitCode !== null) throw new Error(`${what} ended by itself with ${child.exitCode}`);
		return await new Promise<true | undefined>((resolve) => {
			const socket = connect(port, '127.0.0.1');
			socket.once('connect', () => resolve(true)).once('error', () => resolve(undefined));
			socket.once('connect', () => socket.end());
		});
	});
	return {
		port,
		async stop() {
			const ended = new Promise((resolve) => child.once('exit', resolve));
			// A fast shutdown for Postgres and nginx, one without saving for Redis.
			child.kill('SIGINT');
			await ended;
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
