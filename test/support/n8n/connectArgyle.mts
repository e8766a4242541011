import { credentialFor } from '../fakeArgyle/credential.mts';
import { type FakeArgyle, type FakeArgyleOptions, startFakeArgyle } from '../fakeArgyle/index.mts';
import type { N8nClient } from './client.mts';
import type { CredentialRef } from './nodes.mts';

export interface ArgyleConnection {
	argyle: FakeArgyle;
	credential: CredentialRef;
	credentialData: Record<string, unknown>;
}

/** Starts a fake Argyle that hardly limits the rate of requests, and stores a credential for it in n8n. */
export async function connectArgyle(client: N8nClient, options: FakeArgyleOptions = {}): Promise<ArgyleConnection> {
	const argyle = await startFakeArgyle({ requestsPerSecond: 1_000, ...options });
	const credentialData = credentialFor(argyle);
	const credential = await client.createCredential('Argyle', 'argyleApi', credentialData);
	return { argyle, credential, credentialData };
}
