import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { InviteAddresses } from '../../api/invites';
import { addressKeys } from '../../api/openInvites';
import { createMask } from '../../api/sensitiveFields';
import { readRecipient, readTestRecipient } from '../../shared/recipientFields';
import { type ArgyleClient, connect } from '../../transport/client';
import { ArgyleError, asArgyleError, refused } from '../../transport/errors';
import { shortened } from '../../utils/coerce';
import type { ItemCall, ItemProcessing } from '../operation';
import { showHintOnce } from '../records/recordOutput';

export interface Recipient {
	/** The person's own addresses. */
	addresses: InviteAddresses;
	/** Where the message goes instead, in a trial. */
	test: InviteAddresses | undefined;
}

interface Sent {
	/** The invite, or the record that Argyle answers with. */
	record: IDataObject;
	/** Why nobody was written to. */
	skippedBecause?: string;
}

/** How an operation writes to the person of an item. */
interface Sending<Request> {
	/** Reads the request of an item. Throws ArgyleError for what can be seen to be wrong without asking Argyle. */
	read(itemIndex: number, recipient: Recipient): Request;
	/**
	 * Asks Argyle for what only Argyle can tell about the row. In a list, if the run stops at errors, this is called for
	 * all rows before the first message.
	 */
	look?(client: ArgyleClient, request: Request): Promise<unknown>;
	send(client: ArgyleClient, call: ItemCall, request: Request): Promise<Sent>;
	/** What a person should do about those who were already written to, before a failed run is repeated. */
	again: string;
}

/** An item that is a row in the list of people. */
interface Row<Request> {
	/** Such as "row 4 dee@example.com". */
	name: string;
	/** Undefined if the recipient can't be read. */
	recipient: Recipient | undefined;
	request: Request | undefined;
	faults: unknown[];
}

/** How many rows a message names at most. */
const MAX_NAMED = 10;

/**
 * Returns the number of each row. Items of n8n's Google Sheets node name the row of the sheet from which they come, so
 * that number is taken. Other items count from 1, as people do.
 */
function rowNumbers(context: IExecuteFunctions): number[] {
	const inSheet = context.getInputData().map(({ json }) => json.row_number);
	const isSheet = inSheet.every((number) => typeof number === 'number');
	return inSheet.map((number, index) => (isSheet ? Number(number) : index + 1));
}

/** Returns the address as it was entered, or else the name. */
function whoIs(context: IExecuteFunctions, itemIndex: number): string {
	const read = (name: string) => String(context.getNodeParameter(name, itemIndex, '') ?? '').trim();
	const way = read('sendBy');
	const addresses = [way === 'sms' ? '' : read('email'), way === 'email' ? '' : read('phoneNumber')];
	const name = `${read('firstName')} ${read('lastName')}`.trim();
	return shortened([...addresses, name].find((text) => text !== '') ?? 'empty');
}

function readRow<Request>(
	context: IExecuteFunctions,
	itemIndex: number,
	rowNumber: number,
	read: Sending<Request>['read'],
): Row<Request> {
	const faults: unknown[] = [];
	function noted<T>(part: () => T): T | undefined {
		try {
			return part();
		} catch (caught) {
			faults.push(caught);
			return undefined;
		}
	}
	const who = noted(() => whoIs(context, itemIndex));
	const recipient = noted(() => ({
		addresses: readRecipient(context, itemIndex),
		test: readTestRecipient(context, itemIndex),
	}));
	const request = noted(() => read(itemIndex, recipient ?? { addresses: {}, test: undefined }));
	return { name: ['row', rowNumber, who].join(' ').trim(), recipient, request, faults };
}

/**
 * Notes a fault for each row whose address an earlier row has. A trial compares the people's own addresses too, so that
 * it finds what the real run would find.
 */
function findTwins(rows: Array<Row<unknown>>): void {
	const seen = new Map<string, string>();
	for (const { name, recipient, faults } of rows) {
		if (recipient === undefined || faults.length > 0) continue;
		const keys = addressKeys(recipient.addresses);
		const [twin] = keys.flatMap((key) => seen.get(key) ?? []);
		if (twin === undefined) {
			for (const key of keys) seen.set(key, name);
			continue;
		}
		faults.push(refused(`It has the address or number of ${twin}`, 'Remove one of the two rows.'));
	}
}

/** Names each distinct fault once, because a failing expression fails each time it is read. */
const messageOf = ({ faults }: Row<unknown>) =>
	[...new Set(faults.map((fault) => asArgyleError(fault).message))].join(', ');

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

function refusal(rows: Array<Row<unknown>>, wrong: Array<Row<unknown>>): ArgyleError {
	const named = wrong.slice(0, MAX_NAMED).map((row) => `${row.name}: ${messageOf(row)}`);
	if (wrong.length > MAX_NAMED) named.push(`and ${wrong.length - MAX_NAMED} more`);
	return new ArgyleError(
		`${wrong.length} of ${rows.length} can't be invited: ${named.join('; ')}`,
		'Nobody was written to. Correct these rows. Or set On Error in the settings of the node to Continue: then the others are invited, and each item says what came of it.',
		{ namesItem: true },
	);
}

/**
 * Notes an error as a fault of the row, such as an External ID that nobody has. An error that says nothing about the
 * row, such as an HTTP status or an outage, is thrown.
 */
function noteFault({ faults }: Row<unknown>, error: unknown): void {
	const { statusCode, isTransient = false } = asArgyleError(error).details;
	if (statusCode !== undefined || isTransient) throw asArgyleError(error);
	faults.push(error);
}

/**
 * Reads the whole list before the first message. If rows are wrong and the run stops at errors, it throws an
 * ArgyleError that names these rows. If the run goes on after errors, these rows fail one by one. A single item is not
 * a list, so it fails with its own error.
 */
export function inviteEach<Request>(
	context: IExecuteFunctions,
	{ read, look, send, again }: Sending<Request>,
): ItemProcessing {
	const rows = rowNumbers(context).map((number, itemIndex) => readRow(context, itemIndex, number, read));
	findTwins(rows);
	const wrong = rows.filter(({ faults }) => faults.length > 0);
	const isList = rows.length > 1;
	const named = (caught: unknown, itemIndex: number) =>
		`${capitalized(rows[itemIndex].name)}: ${asArgyleError(caught).message}`;
	if (isList && wrong.length > 0 && !context.continueOnFail()) throw refusal(rows, wrong);
	let isLooked = look === undefined || !isList || context.continueOnFail();
	async function lookForAll(signal: AbortSignal | undefined): Promise<void> {
		for (const [itemIndex, row] of rows.entries()) {
			const { request } = row;
			if (request === undefined) continue;
			const client = await connect(context, { itemIndex, signal });
			await look?.(client, request).catch((error: unknown) => noteFault(row, error));
			signal?.throwIfAborted();
		}
		const unknown = rows.filter(({ faults }) => faults.length > 0);
		if (unknown.length > 0) throw refusal(rows, unknown);
		isLooked = true;
	}
	return {
		async execute(_, itemIndex, call) {
			const row = rows[itemIndex];
			const { recipient, request, faults } = row;
			if (faults.length === 1) throw faults[0];
			if (recipient === undefined || request === undefined)
				throw new ArgyleError(messageOf(row), asArgyleError(faults[0]).description);
			const client = await call.connect();
			if (!isLooked) await lookForAll(client.signal);
			const { record, skippedBecause } = await send(client, call, request);
			const { email, phone_number: number } = recipient.test ?? {};
			const testRecipient = email ?? number;
			if (testRecipient !== undefined)
				showHintOnce(context, `A trial: every message goes to ${testRecipient}, and nobody else is written to.`);
			const result = skippedBecause === undefined ? 'invited' : 'skipped';
			// Every item has a `reason`, even if it is empty. Otherwise n8n's table shows the reasons after all other columns.
			const shown = { result, reason: skippedBecause ?? '', ...(testRecipient && { testRecipient }) };
			return [{ json: { ...shown, ...createMask()(record) } }];
		},
		resultOf: (caught, itemIndex) => ({
			result: asArgyleError(caught).details.outcomeUnknown ? 'unclear' : 'refused',
			reason: named(caught, itemIndex),
		}),
		stopped(caught, itemIndex) {
			const { description, details } = asArgyleError(caught);
			if (!isList || details.namesItem) return caught;
			const [first, last] = [rows[0], rows[itemIndex - 1]].map((row) => row?.name ?? '');
			const done = itemIndex === 1 ? `${first} was` : `${first} to ${last} were`;
			const before = itemIndex === 0 ? '' : ` ${capitalized(done)} done before. ${again}`;
			return new ArgyleError(named(caught, itemIndex), `${description}${before}`, { ...details, namesItem: true });
		},
	};
}
