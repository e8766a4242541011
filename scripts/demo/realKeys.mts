export interface RealKeys {
	credential: Record<string, unknown>;
	n8nEnvironment: Record<string, string>;
	hasReceipts: boolean;
}

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
			'Set N8N_WEBHOOK_URL to the public https address at which Argyle reaches this n8n, such as https://my-tunnel.example.com\n(a tunnel or reverse proxy that forwards to http://127.0.0.1:5678). Argyle sends its events there.',
		);
	}
	return {
		credential: { environment: ARGYLE_ENVIRONMENT, apiKeyId: ARGYLE_API_KEY_ID, apiKeySecret: ARGYLE_API_KEY_SECRET },
		n8nEnvironment: { N8N_WEBHOOK_URL },
		hasReceipts: ARGYLE_ENVIRONMENT === 'production',
	};
}
