import type { IExecuteFunctions } from 'n8n-workflow';

import { addressKeys } from '../../api/earlierInvites';
import type { InviteAddresses } from '../../api/invites';
import { readRecipient } from '../../shared/recipientFields';
import { ArgyleError, asArgyleError, refused } from '../../transport/errors';
import { shortened } from '../../utils/coerce';
import { EventLoopTurn } from '../../utils/eventLoop';

/** How an operation reads its items as rows of a list of people. */
export interface RowReading<Request> {
	/** Reads the request of an item. Throws ArgyleError for what can be seen to be wrong without asking Argyle. */
	read(itemIndex: number, addresses: InviteAddresses): Request;
	/** Returns '' if the person gets no External ID. No two rows may have the same one. */
	externalIdOf?(request: Request): string;
	/** Whether two rows with one address or number are meant to be two people. @default never */
	areTwoPeople?(one: Request, other: Request): boolean;
	/** What else can be done about two rows with one address or number, in whole sentences. */
	adviceForTwins?: string;
}

/** An item that is a row in the list of people. */
export interface Row<Request> {
	/** The number that n8n's Google Sheets node gives the item: that of its row in the sheet. */
	rowNumber: number | undefined;
	/** The person's own addresses, undefined if they can't be read. */
	addresses: InviteAddresses | undefined;
	request: Request | undefined;
	faults: unknown[];
	/** Whether an earlier row has its address or number. */
	isTwin: boolean;
	/** Returns text such as "row 4 dee@example.com". It is read from the item anew, so only messages ask for it. */
	name(): string;
}

/** How many rows a message names at most. */
const MAX_NAMED = 10;

/** Returns the address as it was entered, or else the name. */
function whoIs(context: IExecuteFunctions, itemIndex: number): string {
	const read = (name: string) => {
		try {
			return String(context.getNodeParameter(name, itemIndex, '') ?? '').trim();
		} catch {
			// The expression fails, which is the fault of the row.
			return '';
		}
	};
	const way = read('sendBy');
	const addresses = [way === 'sms' ? '' : read('email'), way === 'email' ? '' : read('phoneNumber')];
	const found = addresses.find((text) => text !== '') ?? `${read('firstName')} ${read('lastName')}`.trim();
	return shortened(found === '' ? 'empty' : found);
}

function readRow<Request>(
	context: IExecuteFunctions,
	itemIndex: number,
	rowNumber: number | undefined,
	read: RowReading<Request>['read'],
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
	const addresses = noted(() => readRecipient(context, itemIndex));
	const request = noted(() => read(itemIndex, addresses ?? {}));
	// Without a number of its own, an item is counted as n8n counts it everywhere, because nobody can tell whether the
	// list had a line of headings, or was filtered.
	const place = rowNumber === undefined ? `item ${itemIndex}` : `row ${rowNumber}`;
	return { rowNumber, addresses, request, faults, isTwin: false, name: () => `${place} ${whoIs(context, itemIndex)}` };
}

/**
 * Reads all items. Notes a fault for each row that has the External ID of an earlier row, or whose address an earlier
 * row has.
 */
export async function readRows<Request>(
	context: IExecuteFunctions,
	{ read, externalIdOf = () => '', areTwoPeople = () => false, adviceForTwins = '' }: RowReading<Request>,
): Promise<Array<Row<Request>>> {
	const numbers = context.getInputData().map(({ json }) => json.row_number);
	const isSheet = numbers.every((number) => typeof number === 'number');
	const rows: Array<Row<Request>> = [];
	const withKey = new Map<string, Array<{ row: Row<Request>; request: Request }>>();
	const turn = new EventLoopTurn();
	for (const [itemIndex, number] of numbers.entries()) {
		await turn.breathe();
		const row = readRow(context, itemIndex, isSheet ? Number(number) : undefined, read);
		rows.push(row);
		const { addresses, request, faults } = row;
		if (addresses === undefined || request === undefined || faults.length > 0) continue;
		const externalId = externalIdOf(request);
		const idKeys = externalId === '' ? [] : [`External ID ${externalId}`];
		const keys = addressKeys(addresses);
		const others = (of: string[]) => of.flatMap((key) => withKey.get(key) ?? []);
		const [sameId] = others(idKeys);
		const twin = others(keys).find((other) => !areTwoPeople(other.request, request));
		if (sameId !== undefined) {
			faults.push(refused(`It has the External ID of ${sameId.row.name()}`, 'Each person needs another External ID.'));
		} else if (twin !== undefined) {
			row.isTwin = true;
			const advice = `Remove one of the two rows. ${adviceForTwins}`.trim();
			faults.push(refused(`It has the address or number of ${twin.row.name()}`, advice));
		} else {
			for (const key of [...idKeys, ...keys]) withKey.set(key, [...(withKey.get(key) ?? []), { row, request }]);
		}
	}
	return rows;
}

/** Names each distinct fault once, because a failing expression fails each time it is read. */
export const messageOf = ({ faults }: Row<unknown>) =>
	[...new Set(faults.map((fault) => asArgyleError(fault).message))].join(', ');

/** The error that names the rows with faults, undefined if there are none. `advice` says what to do about them. */
export function refusalOf(rows: Array<Row<unknown>>, advice: string): ArgyleError | undefined {
	const wrong = rows.filter(({ faults }) => faults.length > 0);
	if (wrong.length === 0) return undefined;
	const named = wrong.slice(0, MAX_NAMED).map((row) => `${row.name()}: ${messageOf(row)}`);
	if (wrong.length > MAX_NAMED) named.push(`and ${wrong.length - MAX_NAMED} more`);
	return new ArgyleError(
		`${wrong.length} of ${rows.length} can't be invited: ${named.join('; ')}`,
		`Nobody was written to. ${advice} Or set On Error in the settings of the node to Continue: then the others are invited, and each item says what came of it.`,
		{ namesItem: true },
	);
}
