import { createHash } from 'node:crypto';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { isJson } from '../json.mts';
import type { Assumed } from './assumed.mts';
import type { ApiRequest } from './request.mts';
import { type ApiResponse, errorResponse, invalidFields, methodNotAllowed, notFound } from './response.mts';
import type { StoredRecord } from './types.mts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const FIXED_DATE = new Date('2026-11-01T00:00:00Z');

/** A real PDF that names the user. Always the same bytes for the same user, so that tests can compare them. */
export async function receiptPdf(user: StoredRecord): Promise<Buffer> {
	const pdf = await PDFDocument.create();
	pdf.setTitle(`Receipt for ${user.id}`);
	pdf.setProducer('Fake Argyle');
	pdf.setCreationDate(FIXED_DATE);
	pdf.setModificationDate(FIXED_DATE);
	const page = pdf.addPage([420, 300]);
	const font = await pdf.embedFont(StandardFonts.Helvetica);
	const digest = createHash('sha256').update(user.id).digest();
	const transactions = Array.from({ length: 4 }, (_, index) => {
		const cents = 100 + (digest[index] ?? 0) * 3;
		return `2026-10-0${index + 1}   Account connection   USD ${(cents / 100).toFixed(2)}`;
	});
	const name =
		[user.first_name, user.last_name].filter((part) => typeof part === 'string').join(' ') || 'name not known';
	const lines = ['Billable transactions', `User: ${name}`, `User ID: ${user.id}`, '', ...transactions];
	lines.forEach((line, index) =>
		page.drawText(line, { x: 30, y: 260 - index * 24, size: index === 0 ? 18 : 11, font }),
	);
	return Buffer.from(await pdf.save());
}

/** Serves `/v2/receipts`, which exists in Production only; how Argyle words that in Sandbox is not documented. */
export async function handleReceipts(
	users: Map<string, StoredRecord>,
	isSandbox: boolean,
	assumed: Assumed,
	{ method, body }: ApiRequest,
): Promise<ApiResponse> {
	if (method !== 'POST') return methodNotAllowed(method);
	if (isSandbox && assumed.receiptInSandbox !== 'a PDF')
		return errorResponse(400, 'Billing is not supported in Sandbox.');
	const id = isJson(body) ? body.user : undefined;
	if (typeof id !== 'string' || !UUID.test(id)) return invalidFields({ user: ['Must be a valid UUID.'] });
	const user = users.get(id);
	if (user === undefined) return notFound();
	return {
		status: 200,
		body: await receiptPdf(user),
		headers: { 'Content-Type': 'application/pdf', 'Content-Disposition': 'attachment; filename="receipt.pdf"' },
	};
}
