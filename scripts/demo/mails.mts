import { fieldOf, type Mail, type Part, partsOf } from '../../test/support/mailbox.mts';

const MAX_MAILS = 50;

const filesOf = (mail: Mail) => partsOf(mail).filter(({ fileName }) => fileName !== undefined);

/** What n8n has sent by e-mail, the latest first, with addresses of the page at which the attachments open. */
export function mailsOf(mails: Mail[]): object[] {
	const latest = [...mails.entries()].slice(-MAX_MAILS).reverse();
	return latest.map(([index, mail]) => ({
		from: fieldOf(mail, 'From'),
		to: mail.to.join(', '),
		subject: fieldOf(mail, 'Subject'),
		text: partsOf(mail)[0]?.bytes.toString(),
		files: filesOf(mail).map(({ fileName: name }, file) => ({ name, address: `/mail/${index}/${file}` })),
	}));
}

export function attachmentAt(mails: Mail[], address: string): Part | undefined {
	const [, index, file] = /^\/mail\/(\d+)\/(\d+)$/.exec(address) ?? [];
	const mail = mails[Number(index)];
	return mail && filesOf(mail)[Number(file)];
}

/** Only a PDF file opens in the browser: in a page of this address, a script of a mail could press the buttons. */
export const typeOf = ({ fileName = '' }: Part) =>
	/\.pdf$/i.test(fileName) ? 'application/pdf' : 'application/octet-stream';
