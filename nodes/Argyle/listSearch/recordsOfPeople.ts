import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { pagesOf } from '../api/pagination';
import { ACCOUNTS, listOf, USERS, VERIFICATIONS } from '../api/records';
import { RECORD_TYPES, type RecordType } from '../api/recordTypes';
import { nameOfReportType } from '../api/reportTypes';
import type { ArgyleClient } from '../transport/client';
import { isDataObject } from '../utils/json';
import { isId, isUuid } from '../utils/ids';
import { creation, fullName, joined, listed } from './label';
import { finderById, listSearch, type Picker, seemsId } from './listSearch';

interface Listed {
	/**
	 * Returns the parts of a label by which people recognize a record. They stand between the person's name and the time
	 * of creation.
	 */
	parts: (record: IDataObject) => unknown[];
	/** Whether the records name only an account. The record of the account then names the user. */
	isOfAccount?: boolean;
	/** Whether the IDs of the records are not always UUIDs. */
	hasAnyId?: boolean;
}

/**
 * Reads a list to its end, or until `deadline` has passed, but at least one page. Resolves with whether it was read to
 * its end.
 */
async function readUntil(
	client: ArgyleClient,
	recordType: RecordType,
	deadline: number,
	use: (record: IDataObject) => void,
): Promise<boolean> {
	for await (const records of pagesOf(client, listOf(recordType))) {
		records.forEach(use);
		if (Date.now() >= deadline) return false;
	}
	return true;
}

/** The records name a person only by ID, so the names come from the list of users. */
function pickerOf(
	context: ILoadOptionsFunctions,
	recordType: RecordType,
	{ parts, isOfAccount = false, hasAnyId = false }: Listed,
): Picker {
	const names = new Map<unknown, string>();
	const owners = new Map<unknown, unknown>();
	const nameOf = ({ user, account }: IDataObject) => names.get(user ?? owners.get(account));
	const addName = (user: IDataObject) =>
		names.set(user.id, fullName(user) || joined([user.email]) || joined([user.external_id]));
	return {
		list: listOf(recordType),
		async prepare(client, deadline) {
			const hasNames = await readUntil(client, USERS, deadline, addName);
			if (!isOfAccount) return hasNames;
			return (await readUntil(client, ACCOUNTS, deadline, ({ id, user }) => owners.set(id, user))) && hasNames;
		},
		label: (record) => joined([nameOf(record), ...parts(record), creation(context, record)]),
		find: finderById(recordType, hasAnyId ? seemsId : isUuid),
		isEntry: ({ id }) => (hasAnyId ? isId(id) : isUuid(id)),
		notAllSearched: `Not all ${recordType.many} were searched. If yours is missing, choose By ID and enter its ID.`,
	};
}

const searchOf = (recordType: RecordType, shown: Listed) =>
	listSearch((context) => pickerOf(context, recordType, shown));

const valueIn = (record: unknown, field: string) => (isDataObject(record) ? record[field] : undefined);

const { payrollDocument, report, userUpload } = RECORD_TYPES;

/** The lists of records that people look for by the name of the person to whom they belong. */
export const recordsOfPeople = {
	searchAccounts: searchOf(ACCOUNTS, { parts: ({ employers, source }) => [listed(employers), source] }),
	searchPayrollDocuments: searchOf(payrollDocument, {
		parts: ({ document_type_description: description, document_type: type, employer }) => [
			joined([description]) || type,
			employer,
		],
		isOfAccount: true,
	}),
	searchReports: searchOf(report, { parts: ({ type, status }) => [nameOfReportType(type), status] }),
	searchUserUploads: searchOf(userUpload, {
		parts: ({ document_type: type, file_name: name }) => [type, name],
		isOfAccount: true,
	}),
	searchVerifications: searchOf(VERIFICATIONS, {
		parts: ({ report: ordered, status, loan }) => [
			...[nameOfReportType(valueIn(ordered, 'type')), valueIn(status, 'state'), valueIn(loan, 'number')],
		],
		hasAnyId: true,
	}),
};
