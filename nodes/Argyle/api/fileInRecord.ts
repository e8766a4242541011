import type { IDataObject } from 'n8n-workflow';

import { ArgyleError } from '../transport/errors';
import { isDataObject } from '../utils/json';
import type { FileField, RecordType } from './recordTypes';

/** The status of a report, or the state of a verification with its reason. */
function statusOf({ status }: IDataObject): { state: unknown; code: unknown } {
	return isDataObject(status) ? { state: status.state, code: status.code } : { state: status, code: undefined };
}

/** Throws ArgyleError if the record says that it has no file yet, or never will, even if it has an address. */
function assertMade(record: IDataObject, { one }: RecordType): void {
	const { state, code } = statusOf(record);
	switch (state) {
		case 'waiting_for_sync':
		case 'generating':
			throw new ArgyleError(
				`Argyle is still making this ${one}`,
				`Its status is ${state}. Run the node again in a few minutes, or start the workflow with the event Report Generated.`,
			);
		case 'failed':
			throw new ArgyleError(
				`Argyle could not make this ${one}`,
				"Its status is failed, so it has no file. Have it made again; if this goes on, ask Argyle's support.",
			);
		case 'PENDING':
		case 'PROCESSING':
			throw new ArgyleError(
				`This ${one} is not completed yet`,
				`It is ${state} (${String(code)}), and its files exist once it is COMPLETED. Start the workflow with the event Verification Updated, or run the node again later.`,
			);
		case 'PAUSED':
			throw new ArgyleError(
				`This ${one} is paused`,
				`Its status code is ${String(code)}: it has no files until somebody acts, and its status.errors may say how. The person may need a new link (Session), or a document is missing (User Upload: Upload).`,
			);
		case 'CANCELLED':
			throw new ArgyleError(
				`This ${one} was cancelled`,
				`Its status code is ${String(code)}, so it has no files. Order a new one with Verification: Order.`,
			);
	}
}

/** The address of a record's file. Throws ArgyleError when there is none. */
export function addressIn(record: IDataObject, recordType: RecordType, field: FileField): string {
	const { one, filesIn } = recordType;
	assertMade(record, recordType);
	const holder = filesIn === undefined ? record : record[filesIn];
	const address = isDataObject(holder) ? holder[field] : undefined;
	if (typeof address === 'string' && address.trim() !== '') return address.trim();
	const path = filesIn === undefined ? field : `${filesIn}.${field}`;
	throw new ArgyleError(
		`Argyle has no file of this ${one}`,
		`Its record is there, but ${path} is empty. A file may come later; nothing was downloaded.`,
	);
}
