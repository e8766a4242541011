import type { Fault } from '../support/fakeArgyle/index.mts';
import { answers, byId, type ErrorCase, expression, HTML_PAGE, UNKNOWN_ID } from './errorCase.mts';

const user = (id: unknown) => ({ resource: 'user', operation: 'get', userId: byId(id) });
const paystubs = (filters: object, options = {}) => ({
	resource: 'paystub',
	operation: 'getAll',
	returnAll: true,
	filters,
	options,
});
const recordsOfEvent = { resource: 'event', operation: 'getRecords', returnAll: true };
const documentFile = { resource: 'payrollDocument', operation: 'download', payrollDocumentId: byId(UNKNOWN_ID) };
const reportFile = (format = 'pdf') => ({
	resource: 'report',
	operation: 'download',
	reportId: byId(UNKNOWN_ID),
	format,
});

const RECORD_PATH = new RegExp(`/${UNKNOWN_ID}$`);
/** The record that is asked for. */
const record = (fields: object): Fault => ({ ...answers(200, { id: UNKNOWN_ID, ...fields }), path: RECORD_PATH });
/** The file that it leads to. */
const file = (answer: Fault): Fault[] => [record({ file_url: '/file' }), { ...answer, path: '/file' }];

/** Errors of reading records, of Get Records and of Download. */
export const RECORD_ERRORS: ErrorCase[] = [
	{
		message: "Argyle sent a user that can't be read",
		advice: "ask Argyle's support",
		parameters: user(UNKNOWN_ID),
		fault: answers(200, []),
	},
	{ message: 'User is missing', advice: 'Choose an entry in User', parameters: user('') },
	{ message: 'User is not a valid ID', advice: 'An ID at Argyle looks like', parameters: user('bob') },
	{
		message: 'The filter Account has no value',
		advice: 'Its expression gives nothing, and without the filter the records of everybody would come.',
		parameters: paystubs({ account: expression(null) }),
	},
	{
		message: 'Include Sensitive Data is neither on nor off',
		advice: 'Nothing was sent to Argyle.',
		parameters: paystubs({}, { includeSensitive: expression('perhaps') }),
	},
	{
		message: 'The input item is no event of Argyle',
		advice: 'Put this node right behind an Argyle Trigger',
		parameters: recordsOfEvent,
	},
	{
		message: 'The event vehicles.updated names no vehicle',
		advice: 'Hand the item of the Argyle Trigger on as it is.',
		parameters: recordsOfEvent,
		input: { event: 'vehicles.updated', data: { account: UNKNOWN_ID } },
	},
	{
		message: 'There is no record of the event vehicles.removed',
		advice: 'use the IDs there',
		parameters: recordsOfEvent,
		input: { event: 'vehicles.removed', data: { account: UNKNOWN_ID, vehicle: UNKNOWN_ID } },
	},
	{
		message: 'The Argyle node does not know the event invites.sent',
		advice: 'update n8n-nodes-argyle',
		parameters: recordsOfEvent,
		input: { event: 'invites.sent', data: { invite: UNKNOWN_ID } },
	},
	{
		message: `Argyle could not find the vehicle ${UNKNOWN_ID}`,
		advice: 'environment',
		parameters: recordsOfEvent,
		input: { event: 'vehicles.updated', data: { account: UNKNOWN_ID, vehicle: UNKNOWN_ID } },
	},
	{
		message: 'Argyle has none of the paystubs that the event paystubs.fully_synced speaks of',
		advice: 'the credential is not for the account and environment that the event is from',
		parameters: recordsOfEvent,
		input: { event: 'paystubs.fully_synced', data: { account: UNKNOWN_ID, available_count: 3 } },
	},
	{
		message: `Argyle could not find the file of payroll document ${UNKNOWN_ID}`,
		advice: 'Check the ID.',
		parameters: documentFile,
		fault: record({ file_url: '/file' }),
	},
	{
		message: 'Argyle has no file of this payroll document',
		advice: 'file_url is empty',
		parameters: documentFile,
		fault: record({ file_url: null }),
	},
	{
		message: 'Argyle sent a web page instead of the file',
		advice: 'It says: Maintenance.',
		parameters: documentFile,
		fault: file(answers(200, HTML_PAGE)),
	},
	{
		message: 'Argyle sent an empty file',
		advice: 'Run the node again',
		parameters: documentFile,
		fault: file(answers(200, Buffer.alloc(0))),
	},
	{
		message: "The address that Argyle gave for the file can't be used",
		advice: 'It leads in a circle.',
		parameters: documentFile,
		fault: file(answers(302, undefined, { Location: '/file' })),
	},
	{
		message: 'Argyle is still making this report',
		advice: 'Run the node again in a few minutes',
		parameters: reportFile(),
		fault: record({ status: 'generating', file_url: '/file' }),
	},
	{
		message: 'Argyle could not make this report',
		advice: 'Have it made again',
		parameters: reportFile(),
		fault: record({ status: 'failed' }),
	},
	{
		message: 'Format can\'t be "docx"',
		advice: 'one of pdf, json',
		parameters: reportFile(expression('docx')),
	},
];
