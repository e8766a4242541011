import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What opens an n8n and its data. n8n takes requests for any host, so a web page in the browser that has its own name
 * lead to loopback can call it: only a password that nobody knows stops that page.
 */
export interface Secrets {
	password: string;
	encryptionKey: string;
}

/**
 * Empties the folder of an n8n, unless it is to be kept. Whatever this process and n8n write from now on, no other user
 * of the machine can read.
 */
export function openUserFolder(folder: string, keep: boolean): Secrets {
	process.umask(0o077);
	const file = join(folder, 'secrets.json');
	if (!keep || !existsSync(file)) {
		rmSync(folder, { recursive: true, force: true });
		mkdirSync(folder, { recursive: true });
		const random = () => randomBytes(15).toString('base64url');
		// n8n wants a capital and a digit in a password.
		const secrets: Secrets = { password: `N8-${random()}`, encryptionKey: random() };
		writeFileSync(file, JSON.stringify(secrets));
	}
	const { password, encryptionKey }: Secrets = JSON.parse(readFileSync(file, 'utf8'));
	return { password, encryptionKey };
}
