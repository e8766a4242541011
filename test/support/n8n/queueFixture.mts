import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installPackage } from './installedPackage.mts';
import type { CredentialRef } from './nodes.mts';
import { freePort, type N8nOptions, type RunningN8n, startN8n } from './process.mts';
import { N8nClient } from './client.mts';
import { workFolder } from '../paths.mts';
import { credentialFor } from '../fakeArgyle/credential.mts';
import { type FakeArgyle, startFakeArgyle } from '../fakeArgyle/index.mts';
import { type Server, settingsFor, startPostgres, startRedis } from './queueServers.mts';

/** n8n in queue mode: main, two workers, one webhook process, with a Postgres and a Redis of its own. */
export interface QueueFixture {
	service: FakeArgyle;
	postgres: Server;
	client: N8nClient;
	credential: CredentialRef;
	main: RunningN8n;
	webhook: RunningN8n;
	workers: RunningN8n[];
	/** Starts one more webhook process, with an address of its own. */
	addWebhookProcess(): Promise<RunningN8n>;
	/** What all processes have logged. */
	logs(): string;
	stop(): Promise<void>;
}

/** How soon n8n finds out that a worker is dead; a minute and half a minute as n8n comes. */
const SOON = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '3000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
};

/** Starts all of them; `more` are settings of n8n for each. */
export async function startQueueFixture(more: Record<string, string> = {}): Promise<QueueFixture> {
	mkdirSync(join(workFolder, 'queue'), { recursive: true });
	const folder = mkdtempSync(join(workFolder, 'queue', 'n8n-'));
	const service = await startFakeArgyle({ requestsPerSecond: 1_000, retryAfterMs: 2_000 });
	const [postgres, redis] = [await startPostgres(), await startRedis()];
	const webhookPort = await freePort();
	const env = {
		EXECUTIONS_MODE: 'queue',
		...settingsFor(postgres),
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redis.port),
		WEBHOOK_URL: `http://127.0.0.1:${webhookPort}`,
		...SOON,
		...more,
	};
	const running: RunningN8n[] = [];
	async function start(name: string, options: Partial<N8nOptions> = {}): Promise<RunningN8n> {
		const userFolder = join(folder, name);
		mkdirSync(userFolder);
		installPackage(userFolder);
		const n8n = await startN8n({ userFolder, env, ...options });
		running.push(n8n);
		return n8n;
	}
	const main = await start('main');
	const webhook = await start('webhook', { command: 'webhook', port: webhookPort });
	const workers = [await start('worker-1', { command: 'worker' }), await start('worker-2', { command: 'worker' })];
	const client = new N8nClient(main.origin);
	await client.signIn();
	const credential = await client.createCredential('Argyle', 'argyleApi', credentialFor(service));
	return {
		service,
		postgres,
		client,
		credential,
		main,
		webhook,
		workers,
		addWebhookProcess: async () => await start(`webhook-${running.length}`, { command: 'webhook' }),
		logs: () => running.map(({ logFile }) => readFileSync(logFile, 'utf8')).join('\n'),
		async stop() {
			for (const n8n of running.reverse()) if (!n8n.hasEnded) await n8n.stop();
			await redis.stop();
			await postgres.stop();
			await service.stop();
			rmSync(folder, { recursive: true, force: true });
		},
	};
}
