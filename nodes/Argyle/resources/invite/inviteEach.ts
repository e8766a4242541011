import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { createMask } from '../../api/sensitiveFields';
import type { ArgyleClient } from '../../transport/client';
import { ArgyleError, asArgyleError } from '../../transport/errors';
import { mapConcurrently } from '../../utils/concurrency';
import { type ItemCall, type ItemProcessing, READ_CONCURRENCY } from '../operation';
import { messageOf, readRows, refusalOf, type Row, type RowReading } from './inviteRows';

interface Sent {
	/** The invite, or the record that Argyle answers with. */
	record: IDataObject;
	/** Why nobody was written to. */
	skippedBecause?: string;
	/** What the item has beside its result and the record. */
	more?: IDataObject;
}

/** How an operation writes to the person of an item. */
interface Sending<Request> extends RowReading<Request> {
	/**
	 * Asks Argyle for what only Argyle can tell about the row. In a list, if the run stops at errors, this is called for
	 * all rows before the first message.
	 */
	look(call: ItemCall, request: Request): Promise<unknown>;
	/** What to do about rows that `look` has found wrong, in whole sentences. */
	adviceAfterLook: string;
	send(client: ArgyleClient, call: ItemCall, request: Request): Promise<Sent>;
	/** What a person should do about those who were already written to, before a failed run is repeated. */
	again: string;
}

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

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
export async function inviteEach<Request>(
	context: IExecuteFunctions,
	sending: Sending<Request>,
): Promise<ItemProcessing> {
	const { externalIdOf, adviceForTwins = '', look, adviceAfterLook, send, again } = sending;
	const rows = await readRows(context, sending);
	const isChecked = rows.length > 1 && !context.continueOnFail();
	const hasTwins = rows.some(({ isTwin }) => isTwin);
	const advice = hasTwins ? `Correct these rows. ${adviceForTwins}`.trim() : 'Correct these rows.';
	const refusal = isChecked ? refusalOf(rows, advice) : undefined;
	if (refusal !== undefined) throw refusal;
	let isLooked = !isChecked;
	async function lookForAll(call: ItemCall, signal: AbortSignal | undefined): Promise<void> {
		const count = rows.length;
		await mapConcurrently({ count, concurrency: READ_CONCURRENCY, signal }, async (itemIndex) => {
			const row = rows[itemIndex];
			const { request } = row;
			if (request === undefined) return;
			await look(call.of(itemIndex), request).catch((error: unknown) => noteFault(row, error));
		});
		const found = refusalOf(rows, adviceAfterLook);
		if (found !== undefined) throw found;
		isLooked = true;
	}
	/** What an item shows of its row, so that the result can be written back to the list. */
	const marks = ({ rowNumber, request }: Row<Request>): IDataObject => ({
		...(rowNumber !== undefined && { row_number: rowNumber }),
		...(externalIdOf !== undefined && { external_id: request === undefined ? '' : externalIdOf(request) }),
	});
	const named = (caught: unknown, itemIndex: number) =>
		`${capitalized(rows[itemIndex].name())}: ${asArgyleError(caught).message}`;
	async function sendTo(itemIndex: number, call: ItemCall): Promise<IDataObject> {
		const row = rows[itemIndex];
		const { request, faults } = row;
		if (faults.length === 1) throw faults[0];
		if (request === undefined) throw new ArgyleError(messageOf(row), asArgyleError(faults[0]).description);
		const client = await call.connect();
		if (!isLooked) await lookForAll(call, client.signal);
		const { record, skippedBecause, more } = await send(client, call, request);
		const result = skippedBecause === undefined ? 'invited' : 'skipped';
		// Every item has a `reason`, even if it is empty. Otherwise n8n's table shows the reasons after all other columns.
		return { result, reason: skippedBecause ?? '', ...marks(row), ...more, ...createMask()(record) };
	}
	/** An item that failed says its place in `reason`, or in its error where n8n takes no other fields. */
	function withPlace(caught: unknown, itemIndex: number): ArgyleError {
		const { message, description, details } = asArgyleError(caught);
		const isAlone = context.getNode().onError === 'continueErrorOutput';
		const text = isAlone ? named(caught, itemIndex) : message;
		return new ArgyleError(text, description, { ...details, namesItem: true });
	}
	return {
		execute: async (_, itemIndex, call) => [
			{
				json: await sendTo(itemIndex, call).catch((caught: unknown) => {
					throw context.continueOnFail() ? withPlace(caught, itemIndex) : asArgyleError(caught);
				}),
			},
		],
		resultOf: (caught, itemIndex) => ({
			result: asArgyleError(caught).details.outcomeUnknown ? 'unclear' : 'refused',
			reason: named(caught, itemIndex),
			...marks(rows[itemIndex]),
		}),
		stopped(caught, itemIndex) {
			const { description, details } = asArgyleError(caught);
			if (rows.length === 1 || details.namesItem) return caught;
			const [first, last] = [rows[0], rows[itemIndex - 1]].map((row) => row?.name() ?? '');
			const done = itemIndex === 1 ? `${first} was` : `${first} to ${last} were`;
			const before = itemIndex === 0 ? '' : ` ${capitalized(done)} done before. ${again}`;
			return new ArgyleError(named(caught, itemIndex), `${description}${before}`, { ...details, namesItem: true });
		},
	};
}
