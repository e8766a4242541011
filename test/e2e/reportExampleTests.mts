import { randomUUID } from 'node:crypto';
import type { StoredRecord } from '../support/fakeArgyle/index.mts';
import { verificationProgress } from '../support/fakeArgyle/reportFiles.mts';
import type { Json } from '../support/json.mts';
import { partsOf } from '../support/mailbox.mts';
import { runByHand } from '../support/n8n/example.mts';
import { type ExampleFixture, textOf, userWith } from './exampleFixture.mts';
import { SHEET } from './sheetExampleTests.mts';

/** The examples that tell what Argyle has found out about a job. */
export function reportExampleTests(fixture: () => ExampleFixture): void {
	it('somebody-left.json tells the team once for each job that ended, again after a return, and nothing of refreshes', async () => {
		const { client, argyle, mailbox, importWorkflow } = fixture();
		const [bob, nameless] = ['crm-1001', 'crm-1002'].map((id) => userWith(argyle, id).id);
		const identities = argyle.addRecords('identities', 4);
		const [leaves, returns, stays, leftBefore] = identities;
		for (const identity of identities) Object.assign(identity, { employment: randomUUID(), created_at: '2026-06-01' });
		const workflow = await importWorkflow('somebody-left.json');
		await client.publish(workflow);
		let count = 0;
		const refresh = async (identity: StoredRecord | undefined, changes: Json, user = bob) => {
			Object.assign(identity ?? {}, changes);
			await argyle.deliver('identities.updated', { account: identity?.account, user, identity: identity?.id });
			count += 1;
			await client.waitForExecutions(workflow.id, count);
		};
		const told = () => mailbox.mails.flatMap(partsOf).map(textOf);
		await refresh(stays, { full_name: 'Stella Stays' });
		await refresh(leftBefore, { employment_status: 'terminated', termination_date: '2026-05-01' });
		await refresh(leaves, { full_name: 'Lea Leaves', employment_status: 'terminated', termination_date: '2026-10-31' });
		await refresh(leaves, { job_title: 'Manager' });
		expect(told()).toEqual([
			expect.stringMatching(/^Lea Leaves, bob\.jones@example\.com, crm-1001 is no longer active at Whole Goods\./),
		]);
		expect(told()[0]).toContain('Last day: 2026-10-31');
		await refresh(leaves, { termination_date: '2026-10-30' });
		await refresh(returns, { full_name: 'Rita Returns', employment_status: 'inactive' }, nameless);
		await refresh(returns, { employment_status: 'active' }, nameless);
		await refresh(returns, { employment_status: 'terminated' }, nameless);
		await refresh(returns, { employment_status: 'inactive' }, nameless);
		await client.unpublish(workflow.id);
		const names = told().map((text) => /^\w+ \w+/.exec(text)?.[0]);
		expect(names).toEqual(['Lea Leaves', 'Rita Returns', 'Rita Returns']);
		const executions = await client.waitForExecutions(workflow.id, count);
		expect(new Set(executions.map(({ status }) => status))).toEqual(new Set(['success']));
	}, 120_000);

	it('somebody-left.json tells of each of several who leave at the same moment, and of none again', async () => {
		const { client, argyle, mailbox, importWorkflow } = fixture();
		const { id: user } = userWith(argyle, 'crm-1001');
		const identities = argyle.addRecords('identities', 8, { user, employment_status: 'terminated' });
		const workflow = await importWorkflow('somebody-left.json');
		await client.publish(workflow);
		for (const day of [1, 2, 3]) {
			const refreshes = identities.map(
				async ({ id, account }) => await argyle.deliver('identities.updated', { account, user, identity: id }),
			);
			await Promise.all(refreshes);
			await client.waitForExecutions(workflow.id, day * identities.length);
		}
		await client.unpublish(workflow.id);
		expect(mailbox.mails).toHaveLength(identities.length);
	}, 120_000);

	it('somebody-left.json e-mails its samples once, and asks Argyle for nobody', async () => {
		const { client, argyle, importWorkflow, onlyMail } = fixture();
		const workflow = await importWorkflow('somebody-left.json');
		const before = argyle.requests.length;
		for (const status of ['success', 'success'])
			expect(await runByHand(client, workflow, 'Identity Updated')).toMatchObject({ status });
		expect(textOf(onlyMail()[0])).toMatch(
			/^Sam Sample, sam\.sample@example\.com is no longer active at Sample Bakery\./,
		);
		expect(argyle.requests).toHaveLength(before);
	});

	it('report-to-sheet.json adds one row for each completed verification, with what its report says, masked', async () => {
		const { client, argyle, google, importWorkflow } = fixture();
		google.rows.length = 0;
		const { id: user } = userWith(argyle, 'crm-1001');
		const report = randomUUID();
		const [verification] = argyle.addRecords('verifications', 1, { user, ...verificationProgress(undefined) });
		const said = {
			ssn: '522-09-1192',
			employer: '=HYPERLINK("https://evil.example.com")',
			incomes: [
				{ year: 2025, total: '58024.50' },
				{ year: 2026, total: null },
			],
			zip: '01001',
		};
		argyle.records.files.set(`/v2/reports/${report}/json`, { body: Buffer.from(JSON.stringify(said)) });
		const workflow = await importWorkflow('report-to-sheet.json', { 'Add Row': SHEET });
		await client.publish(workflow);
		const update = async (count: number) => {
			await argyle.deliver('verifications.updated', { user, verification: verification?.id });
			const [latest] = await client.waitForExecutions(workflow.id, count);
			expect(latest?.status).toBe('success');
		};
		await update(1);
		Object.assign(verification ?? {}, verificationProgress(report));
		await update(2);
		await client.unpublish(workflow.id);
		const [head = [], ...rows] = google.rows;
		expect(rows).toHaveLength(1);
		const row = Object.fromEntries(head.map((column, index) => [String(column), rows[0]?.[index]]));
		expect(row).toMatchObject({
			Person: 'Bob Jones, bob.jones@example.com, crm-1001',
			Verification: verification?.id,
			employer: said.employer,
			'incomes 1 year': 2025,
			'incomes 1 total': 58024.5,
			'incomes 2 year': 2026,
			zip: '01001',
		});
		expect(JSON.stringify(google.rows)).not.toContain(said.ssn);
	}, 60_000);
}
