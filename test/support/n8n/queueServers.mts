import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './process.mts';
import { type Server, start, unprivileged, whenListening } from './server.mts';
import { until } from './until.mts';

const START_DEADLINE_MS = 30_000;
const POSTGRES = '/usr/lib/postgresql';

/** Starts a Postgres with an empty database `n8n`, whose user `n8n` needs no password. */
export async function startPostgres(): Promise<Server> {
	const version = readdirSync(POSTGRES).sort((one, other) => Number(other) - Number(one))[0];
	const bin = join(POSTGRES, String(version), 'bin');
	const folder = mkdtempSync(join(tmpdir(), 'n8n-postgres-'));
	// Made by its Debian package; Postgres refuses to run as root.
	const user = unprivileged('postgres');
	if (user !== undefined) chownSync(folder, user.uid, user.gid);
	const data = join(folder, 'data');
	execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'n8n', '--auth=trust', '--no-sync'], {
		cwd: folder,
		stdio: 'ignore',
		...user,
	});
	const port = await freePort();
	const settings = [
		'listen_addresses=127.0.0.1',
		`unix_socket_directories=${folder}`,
		'fsync=off',
		'max_connections=200',
	];
	const args = ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])];
	const child = start(join(bin, 'postgres'), args, folder, user);
	const server = await whenListening('Postgres', child, port, folder);
	await until('the database is created', START_DEADLINE_MS, async () => {
		try {
			execFileSync(join(bin, 'createdb'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'n8n', 'n8n'], {
				stdio: 'ignore',
			});
			return true;
		} catch {
			return undefined;
		}
	});
	return server;
}

export async function startRedis(): Promise<Server> {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-redis-'));
	const port = await freePort();
	const args = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
	return await whenListening('Redis', start('redis-server', args, folder), port, folder);
}

export function settingsFor({ port }: Server): Record<string, string> {
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(port),
		DB_POSTGRESDB_DATABASE: 'n8n',
		DB_POSTGRESDB_USER: 'n8n',
		DB_POSTGRESDB_POOL_SIZE: '20',
	};
}

/** Runs SQL; returns the rows as lines, its columns separated by tabs. */
export function query({ port }: Server, sql: string): string[] {
	const out = execFileSync(
		'psql',
		['-h', '127.0.0.1', '-p', String(port), '-U', 'n8n', '-d', 'n8n', '-AtF', '\t', '-c', sql],
		{ encoding: 'utf8', maxBuffer: 1e9 },
	);
	return out.split('\n').filter((line) => line !== '');
}

/** Everything in the database as text, by table. */
export function dump({ port }: Server): Map<string, string> {
	const args = ['-h', '127.0.0.1', '-p', String(port), '-U', 'n8n', '--data-only', 'n8n'];
	// Its warnings on foreign keys would fill the log; an error has them all the same.
	const sql = execFileSync('pg_dump', args, { encoding: 'utf8', maxBuffer: 1e9, stdio: 'pipe' });
	return new Map(sql.split(/^COPY public\./m).map((rows) => [rows.split(' ', 1)[0] ?? '', rows]));
}
