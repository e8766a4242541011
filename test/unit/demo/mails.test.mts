import { once } from 'node:events';
import { createConnection } from 'node:net';
import { attachmentAt, mailsOf, typeOf } from '../../../scripts/demo/mails.mts';
import { type Mailbox, startMailbox } from '../../support/mailbox.mts';

let mailbox: Mailbox;
beforeEach(async () => {
	mailbox = await startMailbox();
});
afterEach(() => mailbox.stop());

async function send(to: string[], lines: string[]): Promise<void> {
	const recipients = to.map((address) => `RCPT TO:<${address}>`);
	const commands = ['EHLO test', 'MAIL FROM:<bounces@example.com>', ...recipients, 'DATA', ...lines, '.', 'QUIT', ''];
	const socket = createConnection({ host: '127.0.0.1', port: Number(mailbox.credentialData.port) });
	socket.resume().write(commands.join('\r\n'));
	await once(socket, 'close');
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** As n8n's nodes write a mail with text, HTML and two files. */
const FULL = [
	'Content-Type: multipart/mixed; boundary="--_NmP-outer"',
	'From: Payroll <n8n@example.com>',
	'Subject: =?UTF-8?Q?Receipt_of_Zo=C3=AB?= =?UTF-8?Q?_M=C3=BCller?=',
	'',
	...['----_NmP-outer', 'Content-Type: multipart/alternative;', ' boundary="--_NmP-inner"', ''],
	...['----_NmP-inner', 'Content-Type: text/plain; charset=utf-8', 'Content-Transfer-Encoding: quoted-printable'],
	...['', 'Zo=C3=AB =3D one per=', 'son', ''],
	...['----_NmP-inner', 'Content-Type: text/html; charset=utf-8', '', '<p>Zo</p>', '----_NmP-inner--', ''],
	...['----_NmP-outer', 'Content-Type: application/pdf; name=receipt.pdf', 'Content-Transfer-Encoding: base64'],
	...['Content-Disposition: attachment; filename=receipt.pdf', '', base64('%PDF-1.7 é'), ''],
	...['----_NmP-outer', 'Content-Type: text/html; name=a.html', 'Content-Transfer-Encoding: base64'],
	...['Content-Disposition: attachment; filename=a.html', '', base64('<script>'), '----_NmP-outer--'],
];

it('shows whom a mail came from and went to, its subject and text in plain words, and its files', async () => {
	await send(['team@example.com', 'boss@example.com'], FULL);
	const [mail] = mailsOf(mailbox.mails);
	expect(mail).toEqual({
		from: 'Payroll <n8n@example.com>',
		to: 'team@example.com, boss@example.com',
		subject: 'Receipt of Zoë Müller',
		text: 'Zoë = one person',
		files: [
			{ name: 'receipt.pdf', address: '/mail/0/0' },
			{ name: 'a.html', address: '/mail/0/1' },
		],
	});
});

it('opens the files of each mail, of which only a PDF file is shown in the browser', async () => {
	await send(['one@example.com'], ['Subject: One', '', 'Plain']);
	await send(['two@example.com'], FULL);
	expect(mailsOf(mailbox.mails)).toMatchObject([
		{ to: 'two@example.com' },
		{ to: 'one@example.com', subject: 'One', text: 'Plain', files: [] },
	]);
	const files = ['/mail/1/0', '/mail/1/1'].map((address) => attachmentAt(mailbox.mails, address));
	expect(files.map((file) => file?.bytes.toString())).toEqual(['%PDF-1.7 é', '<script>']);
	expect(files.map((file) => file && typeOf(file))).toEqual(['application/pdf', 'application/octet-stream']);
});

it.each(['/mail/0/0', '/mail/9/0', '/mail/1/2', '/mail/1/0/../1', '/mail/-1/0', '/'])(
	'there is no file at %s',
	async (address) => {
		await send(['one@example.com'], ['Subject: One', '', 'Plain']);
		await send(['two@example.com'], FULL);
		expect(attachmentAt(mailbox.mails, address)).toBeUndefined();
	},
);
