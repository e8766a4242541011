import { keyOfRecord, sourceOf } from '../../../nodes/Argyle/api/eventSources';

const id = '0190a1b2-4c5d-7e6f-8a9b-0c1d2e3f4a5b';

it.each([
	['8ABCD1EF', 'verifications.updated 8ABCD1EF 7DCBA1FE'],
	[id, `verifications.updated ${id} 7DCBA1FE`],
])('the key of the verification %s that was completed has the ID of its report', (verification, key) => {
	const record = { id: verification, status: { state: 'COMPLETED' }, report: { id: '7DCBA1FE' } };
	const source = sourceOf('verifications.updated');
	expect(source && keyOfRecord(source, record)).toBe(key);
});

it.each(['a\nb\u001b[2J', '', null, {}, 7])(
	'the key of a verification has nothing of a report whose ID is %j',
	(report) => {
		const record = { id, status: { state: 'COMPLETED' }, report: { id: report } };
		const source = sourceOf('verifications.updated');
		expect(source && keyOfRecord(source, record)).toBe(`verifications.updated ${id} COMPLETED`);
	},
);
