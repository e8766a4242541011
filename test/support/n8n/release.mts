import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { FakeArgyle } from '../fakeArgyle/index.mts';
import type { ApiKey, StoredRecord, Subscription } from '../fakeArgyle/types.mts';
import { root } from '../paths.mts';
import type { RunningN8n } from './process.mts';

/** What was left at Argyle by the n8n whose database is kept. */
export interface KeptArgyle {
	key: ApiKey;
	user: string;
	subscriptions: Subscription[];
	/** Those that have started the workflow. */
	forms: StoredRecord[];
}

/** Keeps what an n8n with one release of the package has in its database, so that later ones are started with it. */
export class KeptRelease {
	private readonly folder: string;

	constructor(release: string) {
		this.folder = join(root, 'test', 'support', 'releases', release);
	}

	/** n8n must be stopped. */
	keep({ userFolder }: RunningN8n, argyle: FakeArgyle, user: string): void {
		mkdirSync(this.folder, { recursive: true });
		const copy = join(userFolder, 'kept.sqlite');
		const database = new DatabaseSync(join(userFolder, '.n8n', 'database.sqlite'));
		database.exec(`VACUUM INTO '${copy}'`);
		database.close();
		writeFileSync(join(this.folder, 'database.sqlite.gz'), gzipSync(readFileSync(copy), { level: 9 }));
		const forms = [...argyle.userForms.values()].filter((form) => form.user === user);
		const kept: KeptArgyle = { key: argyle.key, user, subscriptions: [...argyle.subscriptions.values()], forms };
		writeFileSync(join(this.folder, 'argyle.json'), `${JSON.stringify(kept, null, '\t')}\n`);
	}

	restoreDatabase(userFolder: string): void {
		const folder = join(userFolder, '.n8n');
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, 'database.sqlite'), gunzipSync(readFileSync(join(this.folder, 'database.sqlite.gz'))));
	}

	restoreArgyle(argyle: FakeArgyle): KeptArgyle {
		const kept: KeptArgyle = JSON.parse(readFileSync(join(this.folder, 'argyle.json'), 'utf8'));
		argyle.key = kept.key;
		for (const subscription of kept.subscriptions) argyle.subscriptions.set(subscription.id, subscription);
		const [known] = argyle.users.values();
		argyle.users.clear();
		argyle.users.set(kept.user, { ...known, id: kept.user });
		argyle.userForms.clear();
		for (const { id, account, created_at: createdAt } of kept.forms)
			argyle.storeForm({ id, account: String(account), user: kept.user, createdAt: String(createdAt) });
		return kept;
	}
}
