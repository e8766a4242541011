import { addressIn } from '../../../nodes/Argyle/api/fileInRecord';
import { RECORD_TYPES } from '../../../nodes/Argyle/api/recordTypes';
import { ArgyleError } from '../../../nodes/Argyle/transport/errors';

const FILES = { file_url: 'https://api.argyle.com/pdf', json_url: 'https://api.argyle.com/json' };

const { verification, report, payrollDocument } = RECORD_TYPES;

const inState = (state: string, code: string, files: object = FILES) => ({
	status: { state, code, errors: [] },
	report: { id: 'a report', type: 'voie', ...files },
});

it('the files of a completed verification are those of its report', () => {
	const completed = inState('COMPLETED', 'completed_with_errors');
	expect(addressIn(completed, verification, 'file_url')).toBe(FILES.file_url);
	expect(addressIn(completed, verification, 'json_url')).toBe(FILES.json_url);
});

it('a record whose status nobody knows gives its file', () => {
	expect(addressIn({ status: 'archived', ...FILES }, report, 'file_url')).toBe(FILES.file_url);
	expect(addressIn(inState('ARCHIVED', 'archived'), verification, 'file_url')).toBe(FILES.file_url);
});

it.each([
	[
		inState('PENDING', 'invite_sent'),
		'This verification is not completed yet',
		'It is PENDING (invite_sent), and its files exist once it is COMPLETED.',
	],
	[
		inState('PROCESSING', 'report_generating'),
		'This verification is not completed yet',
		'Start the workflow with the event Verification Updated',
	],
	[
		inState('PAUSED', 'more_data_required'),
		'This verification is paused',
		'Its status code is more_data_required: it has no files until somebody acts',
	],
	[
		inState('CANCELLED', 'argyle_timeout'),
		'This verification was cancelled',
		'Its status code is argyle_timeout, so it has no files.',
	],
	[
		inState('COMPLETED', 'completed', { file_url: null, json_url: null }),
		'Argyle has no file of this verification',
		'report.file_url is empty',
	],
	[
		{ status: { state: 'COMPLETED', code: 'completed', errors: [] }, report: null },
		'Argyle has no file of this verification',
		'report.file_url is empty',
	],
])('a verification %j gives no file, and the reason', (record, message, advice) => {
	expect(() => addressIn(record, verification, 'file_url')).toThrow(
		expect.objectContaining({ message, description: expect.stringContaining(advice) }),
	);
});

it('a document without a file says which field is empty', () => {
	expect(() => addressIn({ file_url: ' ' }, payrollDocument, 'file_url')).toThrow(ArgyleError);
	expect(() => addressIn({ file_url: ' ' }, payrollDocument, 'file_url')).toThrow(
		expect.objectContaining({ description: expect.stringContaining('but file_url is empty') }),
	);
});
