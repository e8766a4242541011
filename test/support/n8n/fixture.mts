import { cpSync, rmSync } from 'node:fs';
import type { FakeArgyle, FakeArgyleOptions } from '../fakeArgyle/index.mts';
import { N8nClient } from './client.mts';
import { type ArgyleConnection, connectArgyle } from './connectArgyle.mts';
import { RunningN8n, startN8n, WITHOUT_EDITOR } from './process.mts';
import { givenUrl, hasLegacyActivation } from './selectedVersion.mts';
import { makeUserFolder, preparedUserFolder } from './userFolder.mts';

interface N8nFixtureOptions {
	/** Environment variables of n8n, which serves no editor unless they say so. */
	env?: Record<string, string>;
	/** Installs more than the packed package into n8n's user folder, before n8n starts. */
	install?: (userFolder: string) => void;
}

interface RestartOptions {
	/** Whether n8n is killed, as in a crash, instead of being stopped. */
	kill?: boolean;
	/** Environment variables that n8n gets from now on, on top of those that it has. */
	env?: Record<string, string>;
	/** Called while n8n does not run. */
	whileStopped?: () => void;
}

/** A real n8n with the packed package in a user folder of its own, signed in as its owner. */
export class N8nFixture {
	readonly client: N8nClient;

	/** Another one after each restart, at the same address. */
	n8n: RunningN8n;

	private env: Record<string, string>;

	private readonly fakeArgyles: FakeArgyle[] = [];

	constructor(n8n: RunningN8n, env: Record<string, string>) {
		this.n8n = n8n;
		this.env = env;
		this.client = new N8nClient(n8n.origin);
	}

	/** Starts a fake Argyle, which stops with the fixture, and stores a credential for it. */
	async connectArgyle(options: FakeArgyleOptions = {}): Promise<ArgyleConnection> {
		const connection = await connectArgyle(this.client, options);
		this.fakeArgyles.push(connection.argyle);
		return connection;
	}

	async restart({ kill = false, env = {}, whileStopped = () => {} }: RestartOptions = {}): Promise<void> {
		if (givenUrl !== undefined) throw new Error('An n8n that was started by hand (N8N_URL) is not restarted');
		const { userFolder, origin } = this.n8n;
		await (kill ? this.n8n.kill() : this.n8n.stop());
		whileStopped();
		this.env = { ...this.env, ...env };
		this.n8n = await startN8n({ userFolder, port: Number(new URL(origin).port), env: this.env });
		await this.client.signIn();
	}

	/** Starts another n8n, at an address of its own, with a copy of this one's data; this one is restarted for it. */
	async startCopy(): Promise<N8nFixture> {
		const userFolder = makeUserFolder();
		await this.restart({ whileStopped: () => cpSync(this.n8n.userFolder, userFolder, { recursive: true }) });
		const copy = new N8nFixture(await startN8n({ userFolder, env: this.env }), this.env);
		await copy.client.signIn();
		return copy;
	}

	/** Stops n8n and every fake Argyle that is connected to it, and removes the user folder. */
	async stop(): Promise<void> {
		await this.n8n.stop();
		await Promise.all(this.fakeArgyles.map(async (argyle) => await argyle.stop()));
		rmSync(this.n8n.userFolder, { recursive: true, force: true });
	}
}

export async function startN8nFixture(options: N8nFixtureOptions = {}): Promise<N8nFixture> {
	if (givenUrl !== undefined) return await useGivenN8n(givenUrl);
	const userFolder = preparedUserFolder();
	options.install?.(userFolder);
	const env = {
		...WITHOUT_EDITOR,
		N8N_USE_WORKFLOW_PUBLICATION_SERVICE: String(!hasLegacyActivation),
		...options.env,
	};
	const fixture = new N8nFixture(await startN8n({ userFolder, env }), env);
	await fixture.client.signIn();
	return fixture;
}

async function useGivenN8n(url: string): Promise<N8nFixture> {
	const fixture = new N8nFixture(new RunningN8n(undefined, new URL(url).origin, makeUserFolder()), {});
	await fixture.client.signIn();
	return fixture;
}
