import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hasLegacyActivation } from './selectedVersion.mts';
import { installPackage } from './installedPackage.mts';
import type { CredentialRef } from './nodes.mts';
import { type RunningN8n, startN8n } from './process.mts';
import { N8nClient } from './client.mts';
import { workFolder } from '../paths.mts';
import { credentialFor } from '../fakeArgyle/credential.mts';
import { type FakeArgyle, type FakeArgyleOptions, startFakeArgyle } from '../fakeArgyle/index.mts';

/** A real n8n with the packed package, the stand-in service, and a credential that joins them. */
export interface E2eFixture {
	service: FakeArgyle;
	n8n: RunningN8n;
	client: N8nClient;
	credential: CredentialRef;
	/** The fields of the credential. */
	credentialData: Record<string, unknown>;
	stop(): Promise<void>;
}

/** Sets the stage in a folder of its own, which goes when it stops. */
export async function startE2eFixture(
	serviceOptions: FakeArgyleOptions = {},
	env: Record<string, string> = {},
): Promise<E2eFixture> {
	mkdirSync(join(workFolder, 'e2e'), { recursive: true });
	const userFolder = mkdtempSync(join(workFolder, 'e2e', 'n8n-'));
	installPackage(userFolder);
	const service = await startFakeArgyle({ requestsPerSecond: 1_000, ...serviceOptions });
	const n8n = await startN8n({ userFolder, env }).catch(async (error: unknown) => {
		await service.stop();
		throw error;
	});
	const client = new N8nClient(n8n.origin, { hasLegacyActivation });
	await client.signIn();
	const credentialData = credentialFor(service);
	const credential = await client.createCredential('Argyle', 'argyleApi', credentialData);
	return {
		service,
		n8n,
		client,
		credential,
		credentialData,
		async stop() {
			await n8n.stop();
			await service.stop();
			rmSync(userFolder, { recursive: true, force: true });
		},
	};
}
