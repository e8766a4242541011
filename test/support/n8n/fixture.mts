import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installPackage } from './installedPackage.mts';
import { freePort, type RunningN8n, startN8n } from './process.mts';
import { N8nClient } from './client.mts';
import { workFolder } from '../paths.mts';

/** How n8n registers triggers: through its publication service, or as it did up to 2.39. */
export type ActivationMode = 'publication' | 'legacy';

/** One n8n of its own, which can be ended and started again. */
export class N8nFixture {
	readonly activation: ActivationMode;

	readonly client: N8nClient;

	n8n: RunningN8n;

	private readonly port: number;

	private env: Record<string, string>;

	private constructor(path: ActivationMode, port: number, env: Record<string, string>, n8n: RunningN8n) {
		this.activation = path;
		this.port = port;
		this.env = env;
		this.n8n = n8n;
		this.client = new N8nClient(n8n.origin, { hasLegacyActivation: path === 'legacy' });
	}

	/** Starts n8n in a folder of its own, with the package installed, and whatever else `install` puts there. */
	static async start(
		path: ActivationMode,
		env: Record<string, string> = {},
		install: (userFolder: string) => void = () => {},
	): Promise<N8nFixture> {
		mkdirSync(join(workFolder, 'worlds'), { recursive: true });
		const userFolder = mkdtempSync(join(workFolder, 'worlds', 'n8n-'));
		installPackage(userFolder);
		install(userFolder);
		const port = await freePort();
		const own = { N8N_USE_WORKFLOW_PUBLICATION_SERVICE: String(path === 'publication'), ...env };
		const world = new N8nFixture(path, port, own, await startN8n({ userFolder, port, env: own }));
		await world.client.signIn();
		return world;
	}

	/** Ends n8n, asked to or killed, and starts it again, with other settings where they are given; `between` is done in between. */
	async restart(
		how: 'asked' | 'killed' = 'asked',
		env: Record<string, string> = {},
		between: () => void = () => {},
	): Promise<void> {
		await (how === 'asked' ? this.n8n.stop() : this.n8n.kill());
		between();
		this.env = { ...this.env, ...env };
		this.n8n = await startN8n({ userFolder: this.n8n.userFolder, port: this.port, env: this.env });
		await this.client.signIn();
	}

	/** Ends n8n and removes its folder. */
	async end(): Promise<void> {
		await this.n8n.stop();
		rmSync(this.n8n.userFolder, { recursive: true, force: true });
	}
}
