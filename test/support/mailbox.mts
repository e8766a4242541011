import { createServer } from 'node:net';
import type { Json } from './json.mts';
import { listen } from './listen.mts';

export interface Mail {
	from: string;
	to: string[];
	/** Header and body. */
	source: string;
}

/** A mail server on loopback that accepts every mail and forwards none. */
export interface Mailbox {
	/** What n8n's SMTP credential holds. */
	credentialData: Json;
	mails: Mail[];
	stop(): void;
}

const END_OF_MAIL = '\r\n.\r\n';

/** Starts a mail server with as much of RFC 5321 as a client without encryption and authentication needs. */
export async function startMailbox(): Promise<Mailbox> {
	const mails: Mail[] = [];
	const server = createServer((socket) => {
		let received = '';
		let mail: Mail = { from: '', to: [], source: '' };
		let inMail = false;
		const reply = (line: string) => socket.write(`${line}\r\n`);
		const address = (line: string) => /<(.*?)>/.exec(line)?.[1] ?? '';

		/** Handles the next line or, after DATA, the mail; returns false when it has not come completely. */
		function readNext(): boolean {
			const end = received.indexOf(inMail ? END_OF_MAIL : '\r\n');
			if (end < 0) return false;
			const text = received.slice(0, end);
			received = received.slice(end + (inMail ? END_OF_MAIL.length : 2));
			if (inMail) {
				mails.push({ ...mail, source: text.replaceAll('\r\n..', '\r\n.') });
				mail = { from: '', to: [], source: '' };
				reply('250 accepted');
			} else if (text.startsWith('DATA')) reply('354 start of mail');
			else if (text.startsWith('QUIT')) socket.end('221 bye\r\n');
			else {
				if (text.startsWith('MAIL FROM:')) mail.from = address(text);
				if (text.startsWith('RCPT TO:')) mail.to.push(address(text));
				reply('250 ok');
			}
			inMail = !inMail && text.startsWith('DATA');
			return true;
		}

		socket.setEncoding('latin1').on('data', (chunk) => {
			received += String(chunk);
			while (readNext());
		});
		reply('220 mailbox');
	});
	const port = await listen(server);
	const credentialData = { host: '127.0.0.1', port, secure: false, disableStartTls: true, user: '', password: '' };
	return { credentialData, mails, stop: () => server.close() };
}

/** A field of a mail's header, such as Subject, as a person reads it: letters beyond ASCII are encoded (RFC 2047). */
export function fieldOf({ source }: Mail, name: string): string {
	const [header = ''] = source.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n\r\n');
	const value = new RegExp(`^${name}: (.*)$`, 'im').exec(header)?.[1] ?? '';
	const word = (_: string, encoding: string, text: string) =>
		decoded(encoding.toLowerCase() === 'b' ? 'base64' : 'quoted-printable', text.replaceAll('_', ' ')).toString();
	return value.replaceAll('?= =?', '?==?').replaceAll(/=\?utf-8\?([bq])\?(.*?)\?=/gi, word);
}

export interface Part {
	/** Undefined for the text of the mail. */
	fileName: string | undefined;
	bytes: Buffer;
}

function decoded(encoding: string | undefined, text: string): Buffer {
	if (encoding === 'base64') return Buffer.from(text, 'base64');
	if (encoding !== 'quoted-printable') return Buffer.from(text, 'latin1');
	const byte = (_: string, hex: string) => String.fromCharCode(Number.parseInt(hex, 16));
	return Buffer.from(text.replaceAll(/=\r\n/g, '').replaceAll(/=([\dA-F]{2})/gi, byte), 'latin1');
}

/** The decoded parts of a mail: its text, also as HTML where it has both, then its attachments. */
export function partsOf({ source }: Pick<Mail, 'source'>): Part[] {
	const [header = '', ...rest] = source.trimStart().split('\r\n\r\n');
	const body = rest.join('\r\n\r\n').trimEnd();
	const boundary = /^Content-Type: multipart\/\w+;\s+boundary="(.*?)"/im.exec(header)?.[1];
	if (boundary !== undefined) {
		const parts = body.split(`--${boundary}`).slice(1, -1);
		return parts.flatMap((part) => partsOf({ source: part }));
	}
	const encoding = /^Content-Transfer-Encoding: (\S+)/im.exec(header)?.[1]?.toLowerCase();
	return [{ fileName: /filename="?([^"\r\n]+)"?/.exec(header)?.[1], bytes: decoded(encoding, body) }];
}
