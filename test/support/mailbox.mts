import { createServer } from 'node:net';
import { once } from 'node:events';

/** A mail as it was handed over. */
export interface Mail {
	from: string;
	to: string[];
	/** Its header and its body, as they came. */
	source: string;
}

/** A mail server on loopback that takes every mail and passes none on. */
export interface Mailbox {
	port: number;
	mails: Mail[];
	stop(): void;
}

const END = '\r\n.\r\n';

/** Starts a mail server (RFC 5321, as much of it as a client without encryption and sign-in needs). */
export async function openMailbox(): Promise<Mailbox> {
	const mails: Mail[] = [];
	const server = createServer((socket) => {
		let received = '';
		let mail: Mail = { from: '', to: [], source: '' };
		let inMail = false;
		const say = (line: string) => socket.write(`${line}\r\n`);
		const address = (line: string) => /<(.*?)>/.exec(line)?.[1] ?? '';

		function take(): boolean {
			const at = received.indexOf(inMail ? END : '\r\n');
			if (at < 0) return false;
			const text = received.slice(0, at);
			received = received.slice(at + (inMail ? END.length : 2));
			if (inMail) {
				mails.push({ ...mail, source: text.replaceAll('\r\n..', '\r\n.') });
				mail = { from: '', to: [], source: '' };
				say('250 taken');
			} else if (text.startsWith('DATA')) say('354 go on');
			else if (text.startsWith('QUIT')) socket.end('221 bye\r\n');
			else {
				if (text.startsWith('MAIL FROM:')) mail.from = address(text);
				if (text.startsWith('RCPT TO:')) mail.to.push(address(text));
				say('250 ok');
			}
			inMail = !inMail && text.startsWith('DATA');
			return true;
		}

		socket.setEncoding('latin1').on('data', (chunk) => {
			received += String(chunk);
			while (take());
		});
		say('220 mailbox');
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The mailbox has no port');
	return { port: address.port, mails, stop: () => server.close() };
}

/** One part of a mail. */
export interface Part {
	/** Undefined for the text. */
	fileName: string | undefined;
	bytes: Buffer;
}

/** Takes a mail; gives its parts, decoded: the text first, then the attachments. */
export function partsOf({ source }: Mail): Part[] {
	const boundary = /^Content-Type: multipart\/mixed;\s+boundary="(.*?)"/m.exec(source)?.[1];
	const parts = boundary === undefined ? [source] : source.split(`--${boundary}`).slice(1, -1);
	return parts.map((part) => {
		const [header = '', ...rest] = part.trimStart().split('\r\n\r\n');
		const body = rest.join('\r\n\r\n').trimEnd();
		const isBase64 = /^Content-Transfer-Encoding: base64/im.test(header);
		return {
			fileName: /filename="?([^"\r\n]+)"?/.exec(header)?.[1],
			bytes: isBase64 ? Buffer.from(body, 'base64') : Buffer.from(body),
		};
	});
}
