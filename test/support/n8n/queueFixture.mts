import { readFileSync, rmSync } from 'node:fs';
import { type ArgyleConnection, connectArgyle } from './connectArgyle.mts';
import { N8nClient } from './client.mts';
import { freePort, type N8nOptions, type RunningN8n, startN8n, WITHOUT_EDITOR } from './process.mts';
import { settingsFor, startPostgres, startRedis } from './queueServers.mts';
import { webhookUrlVariable } from './selectedVersion.mts';
import type { Server } from './server.mts';
import { preparedUserFolder } from './userFolder.mts';

/** n8n in queue mode: main, one webhook process and two workers, with a Postgres and a Redis of its own. */
export interface QueueFixture extends ArgyleConnection {
	postgres: Server;
	client: N8nClient;
	webhook: RunningN8n;
	workers: RunningN8n[];
	/** Does `whileStopped` between a stop of the main process and its start. */
	restartMain(whileStopped: () => void): Promise<void>;
	logs(): string;
	stop(): Promise<void>;
}

/** How soon n8n finds out that a worker is dead; by default it holds the lock for a minute. */
const DEAD_WORKER_DETECTION = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** Starts queue mode; `env` are environment variables of each n8n process. */
export async function startQueueFixture(env: Record<string, string>): Promise<QueueFixture> {
	const [postgres, redis, webhookPort] = await Promise.all([startPostgres(), startRedis(), freePort()]);
	const queueEnv = {
		...WITHOUT_EDITOR,
		EXECUTIONS_MODE: 'queue',
		...settingsFor(postgres),
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		[webhookUrlVariable]: `http://127.0.0.1:${webhookPort}`,
		...DEAD_WORKER_DETECTION,
		...env,
	};
	const running: RunningN8n[] = [];
	async function start(options: Partial<N8nOptions> = {}): Promise<RunningN8n> {
		const userFolder = preparedUserFolder();
		const n8n = await startN8n({ userFolder, env: queueEnv, ...options });
		running.push(n8n);
		return n8n;
	}
	// The main process creates the tables of the database.
	let main = await start();
	const [webhook, ...workers] = await Promise.all([
		start({ command: 'webhook', port: webhookPort }),
		start({ command: 'worker' }),
		start({ command: 'worker' }),
	]);
	const client = new N8nClient(main.origin);
	await client.signIn();
	const connection = await connectArgyle(client, { retryAfterMs: 2_000 });
	return {
		...connection,
		postgres,
		client,
		webhook,
		workers,
		async restartMain(whileStopped) {
			const { userFolder, origin } = main;
			await main.stop();
			whileStopped();
			main = await startN8n({ userFolder, env: queueEnv, port: Number(new URL(origin).port) });
			running.push(main);
		},
		logs: () => running.map(({ logFile }) => readFileSync(logFile, 'utf8')).join('\n'),
		async stop() {
			await Promise.all(running.map(async (n8n) => await n8n.stop()));
			await Promise.all([redis.stop(), postgres.stop(), connection.argyle.stop()]);
			for (const { userFolder } of running) rmSync(userFolder, { recursive: true, force: true });
		},
	};
}
