import { goOnWithOrders, letOrderedPersonAct, ordersOf } from '../../../scripts/demo/orders.mts';
import { credentialFor } from '../../support/fakeArgyle/credential.mts';
import { type FakeArgyle, startFakeArgyle } from '../../support/fakeArgyle/index.mts';
import { type Json, isJson } from '../../support/json.mts';

let argyle: FakeArgyle;
beforeEach(async () => {
	argyle = await startFakeArgyle();
});
afterEach(async () => await argyle.stop());

async function call(method: string, path: string, body?: Json): Promise<Json> {
	const { apiKeyId, apiKeySecret } = credentialFor(argyle);
	const authorization = `Basic ${Buffer.from(`${String(apiKeyId)}:${String(apiKeySecret)}`).toString('base64')}`;
	const response = await fetch(`${argyle.origin}/v2/${path}`, {
		...{ method, headers: { authorization, 'Content-Type': 'application/json' } },
		body: body && JSON.stringify(body),
	});
	const answer: unknown = await response.json();
	if (!isJson(answer) || !response.ok) throw new Error(`${method} ${path}: ${response.status}`);
	return answer;
}

const userAt = (index: number) => [...argyle.users.keys()][index] ?? '';

function passMinute(): void {
	argyle.clockOffsetMs += 60_000;
	goOnWithOrders(argyle);
}

it('a report that was ordered in the demo is generated after some seconds, and not at once', async () => {
	const { id } = await call('POST', 'reports/voie', { user: userAt(1) });
	goOnWithOrders(argyle);
	expect(await call('GET', `reports/${String(id)}`)).toMatchObject({ status: 'generating' });
	expect(ordersOf(argyle)).toMatchObject([{ what: 'Report', type: 'voie', status: 'generating', person: 'crm-1002' }]);
	passMinute();
	expect(await call('GET', `reports/${String(id)}`)).toMatchObject({ status: 'generated' });
});

it.each([
	['voie', {}],
	['doc-voi-mortgage', { employments: [{ employer: 'Whole Goods', status: 'active' }] }],
])(
	'a verification for %s that was ordered in the demo waits for its person, then has a report with a file',
	async (type, more) => {
		const { id } = await call('POST', 'verifications', { user: userAt(0), report: { type }, ...more });
		const verification = String(id);
		passMinute();
		expect(await call('GET', `verifications/${verification}`)).toMatchObject({ status: { state: 'PENDING' } });
		expect(letOrderedPersonAct(argyle, { verification, act: 'giveUp' })).toContain('Bob Jones could not log in');
		passMinute();
		expect(ordersOf(argyle)).toMatchObject([{ status: 'PAUSED', isUnfinished: true, type, person: 'Bob Jones' }]);
		expect(letOrderedPersonAct(argyle, { verification, act: 'act' })).toContain('Bob Jones did what was asked');
		await argyle.untilDelivered();
		passMinute();
		const { status, report } = await call('GET', `verifications/${verification}`);
		expect(status).toMatchObject({ state: 'COMPLETED' });
		if (!isJson(report)) throw new Error('there is no report');
		expect(report).toMatchObject({ type, file_url: expect.stringMatching(`^${argyle.origin}/v2/reports/`) });
		expect(await call('GET', `reports/${String(report.id)}`)).toMatchObject({
			type,
			status: 'generated',
			user: userAt(0),
		});
		expect(letOrderedPersonAct(argyle, { verification, act: 'act' })).toBe('The verification of Bob Jones has ended.');
	},
);

it('the records that the fake Argyle makes up by itself are no orders, and stay as they are', () => {
	const states = () => [...argyle.records.of('verifications').values()].map(({ status }) => status);
	const before = states();
	passMinute();
	expect(before.length).toBeGreaterThan(0);
	expect(states()).toEqual(before);
	expect(ordersOf(argyle)).toEqual([]);
});

it.each([{ verification: 'unknown', act: 'act' }, { act: 'act' }])(
	'an order that is not there is refused: %p',
	(input) => expect(() => letOrderedPersonAct(argyle, input)).toThrow('There is no such verification.'),
);
