import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/support/n8n/process.mts';
import { workFolder } from '../../test/support/paths.mts';
import { startForwarder } from './forwarder.mts';

export interface RealKeys {
	credential: Record<string, unknown>;
	n8nEnvironment: Record<string, string>;
	hasReceipts: boolean;
	publicHost: string;
}

/** Fixed, because the tunnel that forwards to it is there before the demo is. */
const FORWARDER_PORT = 4020;

/** Where n8n stores a real key while the demo runs. One demo at a time has the forwarder's port, and this folder. */
export const keysFolder = join(workFolder, 'demo', 'keys');

const removeKeysFolder = () => rmSync(keysFolder, { recursive: true, force: true, maxRetries: 3 });

/** Reads the keys from environment variables. Throws an error whose message says what to set. */
export function readRealKeys(env: NodeJS.ProcessEnv): RealKeys {
	const { ARGYLE_API_KEY_ID, ARGYLE_API_KEY_SECRET, ARGYLE_ENVIRONMENT = 'sandbox', N8N_WEBHOOK_URL } = env;
	if (!ARGYLE_API_KEY_ID || !ARGYLE_API_KEY_SECRET) {
		throw new Error(
			'Set ARGYLE_API_KEY_ID and ARGYLE_API_KEY_SECRET to a key from the Argyle Console (Developers > API Keys),\nand ARGYLE_ENVIRONMENT to sandbox (the default) or production.',
		);
	}
	if (!['sandbox', 'production'].includes(ARGYLE_ENVIRONMENT))
		throw new Error('ARGYLE_ENVIRONMENT must be sandbox or production.');
	if (!N8N_WEBHOOK_URL || !/^https:\/\/[^/]+\/?$/.test(N8N_WEBHOOK_URL)) {
		throw new Error(
			`Set N8N_WEBHOOK_URL to the public https address at which Argyle reaches this demo, such as https://my-tunnel.example.com\n(a tunnel or reverse proxy that forwards to http://127.0.0.1:${FORWARDER_PORT}, with the Host header as it came). Argyle sends its events there.\nThat port hands on webhooks only. Never forward to n8n itself.`,
		);
	}
	return {
		credential: { environment: ARGYLE_ENVIRONMENT, apiKeyId: ARGYLE_API_KEY_ID, apiKeySecret: ARGYLE_API_KEY_SECRET },
		n8nEnvironment: { N8N_WEBHOOK_URL },
		hasReceipts: ARGYLE_ENVIRONMENT === 'production',
		publicHost: new URL(N8N_WEBHOOK_URL).host,
	};
}

/** Removes the key that a demo has left because it was killed. */
export async function removeLeftKeys(): Promise<void> {
	if ((await freePort(FORWARDER_PORT)) === FORWARDER_PORT) removeKeysFolder();
}

/** Lets Argyle reach n8n's webhooks at this port. The folder of the key is removed when this process ends. */
export async function letArgyleIn({ publicHost }: RealKeys, n8nPort: number): Promise<void> {
	await startForwarder(FORWARDER_PORT, publicHost, n8nPort).catch(() => {
		throw new Error(`Port ${FORWARDER_PORT}, to which your public address forwards, is taken. End what uses it.`);
	});
	process.once('exit', removeKeysFolder);
}
