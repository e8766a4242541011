import { randomUUID } from 'node:crypto';
import type { FakeArgyle, StoredRecord } from '../support/fakeArgyle/index.mts';
import type { FakeGoogle } from '../support/fakeGoogle.mts';
import type { Json } from '../support/json.mts';
import { runByHand } from '../support/n8n/example.mts';
import { chosen, type ExampleFixture } from './exampleFixture.mts';

const SHEET = { parameters: { documentId: chosen('the-spreadsheet'), sheetName: chosen('gid=0') } };

/** Delivers `paystubs.added` for new paystubs of a new account. */
async function addPaystubs(argyle: FakeArgyle, count: number): Promise<StoredRecord[]> {
	const account = randomUUID();
	const paystubs = argyle.addRecords('paystubs', count, { account });
	const user = argyle.accounts.get(account)?.user;
	const [added_to, added_from] = [paystubs[0]?.paystub_date, paystubs.at(-1)?.paystub_date];
	await argyle.deliver('paystubs.added', { account, user, added_count: count, added_from, added_to });
	return paystubs;
}

/** Fills the sheet; without a status, people are not invited yet. */
function fillSheet(google: FakeGoogle, people: string[][]): void {
	google.rows.length = 0;
	google.rows.push(['First Name', 'Last Name', 'Email'], ...people);
}

/** The columns of the result, by e-mail address. */
function resultsInSheet(google: FakeGoogle): Map<unknown, Json> {
	const [head = [], ...rows] = google.rows;
	const results = rows.map((row) => Object.fromEntries(head.map((column, index) => [String(column), row[index]])));
	return new Map(results.map((result) => [result.Email, result]));
}

/** The examples that work on a spreadsheet. */
export function sheetExampleTests(fixture: () => ExampleFixture): void {
	it('paystubs-to-sheet.json adds one row per new paystub to an empty sheet, also for two events at the same time', async () => {
		const { client, argyle, google, importWorkflow } = fixture();
		const workflow = await importWorkflow('paystubs-to-sheet.json', { 'Add Rows': SHEET });
		await client.publish(workflow);
		const paystubs = (await Promise.all([addPaystubs(argyle, 55), addPaystubs(argyle, 2)])).flat();
		const executions = await client.waitForExecutions(workflow.id, 2);
		await client.unpublish(workflow.id);
		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		const columns = ['id', 'account', 'employer', 'status', 'paystub_date', 'paystub_period', 'currency'];
		const [head = [], ...rows] = google.rows;
		expect(head).toEqual([...columns, 'gross_pay', 'net_pay', 'hours']);
		const cell = (value: unknown) => (value !== null && typeof value === 'object' ? JSON.stringify(value) : value);
		const expected = paystubs.map((paystub) => head.map((column) => cell(paystub[String(column)])));
		expect(rows.map(String).sort()).toEqual(expected.map(String).sort());
	}, 60_000);

	it('sheet-to-invites.json invites each person of the sheet once, and writes into the sheet what came of it', async () => {
		const { client, argyle, google, importWorkflow } = fixture();
		const workflow = await importWorkflow('sheet-to-invites.json', {
			...{ People: SHEET, 'Write Sending': SHEET, 'Write Result': SHEET },
		});
		fillSheet(google, [
			['Alex', 'Sample', 'alex@example.com'],
			['Bea', 'Other', 'no address'],
			['Cem', 'Third', 'cem@example.com'],
			['Dan', 'Fourth', 'dan@example.com'],
			['No', 'Address', ''],
		]);
		argyle.addFault({ kind: 'statusAfterCommit', status: 502, method: 'POST', path: '/v2/invites' });
		argyle.addFault({ kind: 'status', status: 500, method: 'POST', path: '/v2/invites', skip: 2 });
		expect(await runByHand(client, workflow, 'Every Morning')).toMatchObject({ status: 'success' });
		argyle.clearFaults();
		const results = resultsInSheet(google);
		const [invite] = [...argyle.invites.values()].filter(({ email }) => email === 'alex@example.com');
		expect(results.get('alex@example.com')).toMatchObject({
			Status: 'invited',
			User: invite?.user,
			Invite: invite?.id,
		});
		expect(results.get('no address')).toMatchObject({
			...{ Status: 'not invited', Message: expect.stringContaining('Enter a valid email address.') },
		});
		expect(results.get('cem@example.com')).toMatchObject({ Status: 'invited' });
		expect(results.get('dan@example.com')).toMatchObject({
			...{ Status: 'to be checked', Message: expect.stringContaining('Check with Invite: Get Many') },
		});
		expect(JSON.stringify(google.rows)).not.toContain('verify.argyle.com');

		const sent = argyle.messages.length;
		await runByHand(client, workflow, 'Every Morning');
		expect(argyle.messages).toHaveLength(sent);
		expect(['alex', 'cem', 'dan'].map((name) => argyle.messagesTo(`${name}@example.com`))).toEqual([1, 1, 0]);
	}, 120_000);
}
