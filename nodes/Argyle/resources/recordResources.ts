import type { INodeProperties } from 'n8n-workflow';

import { RECORD_TYPES, type RecordType, titleCase } from '../api/recordTypes';
import { disableRefresh } from './account/disableRefresh';
import { simulateNewData } from './account/simulateNewData';
import type { Operation, Resource } from './operation';
import { deletionOf } from './records/deleteRecord';
import { downloadOf } from './records/downloadFile';
import { getAllOf, getOf } from './records/getRecords';
import { idFieldOf } from './records/recordIdField';
import { generateReport } from './report/generateReport';
import { createUser } from './user/createUser';
import { updateUser } from './user/updateUser';
import { upsertUser } from './user/upsertUser';
import { uploadDocument } from './userUpload/uploadDocument';
import { cancelVerification } from './verification/cancelVerification';
import { orderVerification } from './verification/orderVerification';
import { refreshVerification } from './verification/refreshVerification';
import { updateVerification } from './verification/updateVerification';

const { account, report, user } = RECORD_TYPES;

/** What else can be done with the records of a type. `idField` is the field that names a record. */
const MORE: Record<string, ((idField: INodeProperties) => Operation[]) | undefined> = {
	user: (idField) => [
		createUser,
		updateUser,
		upsertUser,
		deletionOf(user, idField, {
			description: 'Erase a user with all accounts, records and files, for good. Generate the receipt before.',
			erases: 'this person',
		}),
	],
	account: (idField) => [
		disableRefresh,
		deletionOf(account, idField, {
			description: 'Erase an account with all its records and files, for good',
			erases: 'this account',
		}),
		simulateNewData,
	],
	userUpload: () => [uploadDocument],
	verification: () => [orderVerification, refreshVerification, updateVerification, cancelVerification],
	report: (idField) => [
		generateReport,
		deletionOf(report, idField, {
			description:
				"Delete a report with its files, for good. One of today no longer counts towards the user's ten a day.",
		}),
	],
};

function operationsOf(resource: string, recordType: RecordType): Operation[] {
	const idField = idFieldOf(resource, recordType);
	const { isListOnly = false, fileFields } = recordType;
	return [
		...(isListOnly ? [] : [getOf(recordType, idField)]),
		getAllOf(recordType),
		...(fileFields === undefined ? [] : [downloadOf(recordType, idField, fileFields)]),
		...(MORE[resource]?.(idField) ?? []),
	];
}

/**
 * The resources of the record types. Each has Get Many, Get and Download if Argyle offers them, and the operations of
 * `MORE`.
 */
export const recordResources: Resource[] = Object.entries<RecordType>(RECORD_TYPES).map(([value, recordType]) => ({
	value,
	name: titleCase(recordType.one),
	operations: operationsOf(value, recordType),
}));
