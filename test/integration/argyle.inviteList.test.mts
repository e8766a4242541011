import { randomUUID } from 'node:crypto';
import { ExecuteContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import { credentialFor } from '../support/fakeArgyle/credential.mts';
import { startFakeArgyle } from '../support/fakeArgyle/index.mts';
import { useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import {
	byExternalId,
	byId,
	inviteParameters,
	runNode,
	type RunOptions,
	useNodeFixture,
} from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const invite = inviteParameters('={{ $json.email }}', {
	...{ firstName: '={{ $json.first }}', lastName: '={{ $json.last }}' },
	...{ sendBy: "={{ $json.phone ? 'sms' : 'email' }}", phoneNumber: '={{ $json.phone }}' },
});

type Person = IDataObject;

const named = (email: IDataObject[string]): Person => ({ first: 'Alex', last: 'Sample', email });

/** Invites a list; what comes out of each item is its result and its address or why. */
async function inviteAll(people: Person[], options: RunOptions = {}, more: object = {}) {
	const items = people.map((json) => ({ json: { ...json } }));
	return await node.run({ ...invite, ...more }, { items, ...options });
}

const results = (output: Awaited<ReturnType<typeof inviteAll>>) => output.map(({ json }) => json.result);
const sentTo = () => node.service.messages.map(({ to }) => to);
const posts = () => node.service.requests.filter(({ method }) => method === 'POST').length;
const lists = () => node.service.requests.filter(({ method }) => method === 'GET').length;

/** Eight people, of whom three can't be invited. */
const EIGHT: Person[] = [
	...['ann@example.com', 'ben@example.com', 'cy@example.com', 'dee[at]example.com'].map(named),
	{ first: 'Eva', last: 'Sample', email: ' ' },
	{ first: 'Fay', last: null, email: 'fay@example.com' },
	...['gus@example.com', 'hal@example.com'].map(named),
];

describe('a list of people', () => {
	it('is refused where an expression gives undefined as a part of a name or an address', async () => {
		const joined = {
			firstName: "={{ $json.given + ' ' + $json.middle }}",
			email: "={{ $json.user + '@example.com' }}",
		};
		expect(await node.refusalOf(inviteAll(['ann@example.com', 'ben@example.com'].map(named), {}, joined))).toMatch(
			/^2 of 2 can't be invited: row 1 \S+: Email is missing, First Name is missing; row 2/,
		);
	});

	it('is refused as a whole, with all its faults and the people whose they are, before the first message', async () => {
		const error = await failure(inviteAll(EIGHT));
		expect(error.message).toBe(
			"3 of 8 can't be invited: row 4 dee[at]example.com: Email is not an e-mail address; " +
				'row 5 Eva Sample: Email is missing; row 6 fay@example.com: Last Name is missing',
		);
		expect(error.description).toContain('Nobody was written to.');
		expect(node.service.requests).toEqual([]);
	});

	it('invites the others where On Error continues, and says of each item what came of it', async () => {
		const output = await inviteAll(EIGHT, { continueOnFail: true });
		expect(results(output)).toEqual([
			...['invited', 'invited', 'invited', 'refused', 'refused', 'refused', 'invited', 'invited'],
		]);
		expect(output[3]?.json).toEqual({
			result: 'refused',
			reason: 'Row 4 dee[at]example.com: Email is not an e-mail address',
			error: 'Email is not an e-mail address [item 3]',
			message: expect.stringContaining('There is "dee[at]example.com".'),
		});
		for (const { json } of output) expect(Object.keys(json).slice(0, 2)).toEqual(['result', 'reason']);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual(output.map((_, item) => ({ item })));
		expect(sentTo()).toEqual(['ann', 'ben', 'cy', 'gus', 'hal'].map((name) => `${name}@example.com`));
	});

	it("leaves an item of the error output n8n's own fields, by which n8n knows it", async () => {
		const onError = 'continueErrorOutput';
		const output = await inviteAll(EIGHT, { onError });
		expect(Object.keys(output[3]?.json ?? {})).toEqual(['error', 'message']);
		expect(results(output)[0]).toBe('invited');
	});

	it('counts rows as the sheet does from which they come', async () => {
		const people = EIGHT.map((person, index) => ({ ...person, row_number: index + 2 }));
		expect((await failure(inviteAll(people))).message).toMatch(/: row 5 dee.*; row 6 Eva.*; row 7 fay/);
	});

	it.each<[what: string, people: Person[], message: RegExp]>([
		[
			'an address again, in other capitals',
			[named('Twin@x.co'), named('a@x.co'), named('TWIN@X.CO')],
			/^1 of 3 .*: row 3 TWIN@X.CO: It has the address or number of row 1 Twin@x.co$/,
		],
		[
			'a number again, as it is also written',
			[
				{ ...named(''), phone: '(212) 555-0101' },
				{ ...named(''), phone: 2125550101 },
			],
			/: row 2 2125550101: It has the address or number of row 1 \(212\) 555-0101$/,
		],
		['a row without anything', [named('a@x.co'), {}], /: row 2 empty: Email is missing, First Name is missing$/],
		[
			'an expression that fails',
			[named('a@x.co'), { first: 'Alex', last: 'Sample', email: ['b@x.co'] }],
			/^1 of 2 .*: row 2 b@x.co: Email is no text$/,
		],
		[
			'more than a message can name',
			Array.from({ length: 300 }, (_, index) => named(`person ${index}`)),
			/^300 of 300 .*; row 10 person 9: [^;]+; and 290 more$/,
		],
		['a social security number in place of an address', [named('a@x.co'), named('522-09-1191')], /: row 2 •••: /],
	])('is refused with %s', async (_, people, message) => {
		const error = await failure(inviteAll(people));
		expect(error.message).toMatch(message);
		expect(error.message.length).toBeLessThan(1_000);
		expect(node.service.requests).toEqual([]);
	});

	it('that Argyle stops in the middle names the one that failed, who was invited, and what to do', async () => {
		node.service.addFault({ kind: 'status', status: 400, method: 'POST', skip: 2 });
		const people = ['ann', 'ben', 'cy', 'dee'].map((name) => named(`${name}@example.com`));
		const error = await failure(inviteAll(people));
		expect(error.message).toBe('Row 3 cy@example.com: Argyle did not accept the request');
		expect(error.description).toContain(
			'Row 1 ann@example.com to row 2 ben@example.com were done before. With Skip Open Invites on, the next run skips them',
		);
		expect(results(await inviteAll(people))).toEqual(['skipped', 'skipped', 'invited', 'invited']);
		expect(sentTo()).toHaveLength(4);
	});

	it('that Argyle stops in the middle says that who has connected by the next run is not skipped', async () => {
		node.service.addFault({ kind: 'status', status: 400, method: 'POST', skip: 1 });
		const people = ['ann', 'ben'].map((name) => named(`${name}@example.com`));
		const error = await failure(inviteAll(people));
		const [invite] = [...node.service.invites.values()];
		await node.service.person(invite?.id ?? '').connect();
		expect(results(await inviteAll(people))).toEqual(['invited', 'invited']);
		expect(error.description).toContain('It does not skip people who have completed the invite by then');
	});

	it('says of an item of which nobody knows whether it was sent that it is unclear', async () => {
		useFakeTime();
		node.service.addFault({ kind: 'drop', method: 'POST' });
		const output = await inviteAll([named('a@x.co'), named('b@x.co')], { continueOnFail: true });
		expect(results(output)).toEqual(['unclear', 'invited']);
	});
});

describe('Skip Open Invites', () => {
	it('writes to nobody again when the same list is run again at once, and puts out their invites', async () => {
		// Each of 210 invites would wait for its place in Argyle's rate.
		useFakeTime();
		const people = Array.from({ length: 210 }, (_, index) => named(`person${index}@example.com`));
		const first = await inviteAll(people);
		expect([posts(), sentTo()]).toEqual([210, people.map(({ email }) => email)]);
		node.service.requests.length = 0;
		const second = await inviteAll(
			people.map(({ email, ...rest }) => ({ ...rest, email: String(email).toUpperCase() })),
		);
		expect([posts(), lists()]).toEqual([0, 2]);
		expect(new Set(results(second))).toEqual(new Set(['skipped']));
		expect(second.map(({ json }) => json.id)).toEqual(first.map(({ json }) => json.id));
		expect(second[0]?.json.reason).toMatch(/^There is an open invite, last sent at 20/);
	});

	it('names whose invite comes out, where somebody else has the same address', async () => {
		await inviteAll([named('burnams@example.com')]);
		const [item] = await inviteAll([{ ...named('burnams@example.com'), first: 'Jane' }]);
		expect(item?.json).toMatchObject({ result: 'skipped', first_name: 'Alex' });
		expect(item?.json.reason).toMatch(/is that of Alex Sample\. If that is somebody else, turn off Skip Open Invites/);
	});

	it('writes to nobody again whose invite Argyle does not list yet, unless it was revoked since', async () => {
		const now = Date.now();
		useFakeTime(() => now);
		node.service.assumed.inviteIsListed = 'no';
		const people = [named('a@x.co'), named('b@x.co')];
		const [first] = await inviteAll(people);
		expect(results(await inviteAll(people))).toEqual(['skipped', 'skipped']);
		await node.run({ resource: 'invite', operation: 'revoke', inviteId: byId(String(first?.json.id)) });
		expect(results(await inviteAll(people))).toEqual(['invited', 'skipped']);
	});

	it.each<[status: string, result: string]>([
		['sent', 'skipped'],
		['initiated', 'skipped'],
		['attempted', 'skipped'],
		['a state of the future', 'skipped'],
		['completed', 'invited'],
		['revoked', 'invited'],
	])('takes an invite that is %s for one with which the person is %s', async (status, result) => {
		const [item] = await inviteAll([named('a@x.co')]);
		Object.assign(node.service.invites.get(String(item?.json.id)) ?? {}, { status });
		expect(results(await inviteAll([named('A@X.CO')]))).toEqual([result]);
	});

	it('finds an invite by a number in whatever form Argyle has it, and not by one of another country', async () => {
		const phone = '(212) 555-0101';
		const [item] = await inviteAll([{ ...named(''), phone }]);
		Object.assign(node.service.invites.get(String(item?.json.id)) ?? {}, { phone_number: '212-555-0101' });
		const numbers = ['+1 212 555 0101', '+44 2125550101'].map((each) => ({ ...named(''), phone: each }));
		expect(results(await inviteAll(numbers))).toEqual(['skipped', 'invited']);
	});

	it('puts out the newest of several open invites', async () => {
		for (let times = 0; times < 2; times++) await inviteAll([named('a@x.co')], {}, { skipOpenInvites: false });
		const [older, newer] = [...node.service.invites.values()];
		Object.assign(older ?? {}, { created_at: '2026-01-02T00:00:00.000Z' });
		Object.assign(newer ?? {}, { created_at: '2026-01-01T00:00:00.000Z' });
		const [item] = await inviteAll([named('a@x.co')]);
		expect(item?.json).toMatchObject({ result: 'skipped', id: older?.id });
		expect(sentTo()).toHaveLength(2);
	});

	it.each([false, true])(
		'writes to nobody while the invites can not be read, On Error continues: %p',
		async (continueOnFail) => {
			useFakeTime();
			node.service.addFault({ kind: 'status', status: 403, method: 'GET', times: Infinity });
			const people = [named('a@x.co'), named('b@x.co')];
			const run = inviteAll(people, { continueOnFail });
			if (continueOnFail) expect(results(await run)).toEqual(['refused', 'refused']);
			else expect((await failure(run)).message).toMatch(/^Row 1 a@x\.co: /);
			expect([posts(), lists()]).toEqual([0, 1]);
		},
	);

	it('reads the invites again for the next person, when Argyle is back after it was away', async () => {
		useFakeTime();
		// It is away for longer than the node waits.
		node.service.addFault({ kind: 'status', status: 503, headers: { 'Retry-After': '100' }, method: 'GET' });
		const output = await inviteAll([named('a@x.co'), named('b@x.co')], { continueOnFail: true });
		expect(results(output)).toEqual(['refused', 'invited']);
	});

	it('finds the open invites of each account of Argyle, where the credential is an expression', async () => {
		const other = await startFakeArgyle({ requestsPerSecond: 1_000 });
		const items = ['a@x.co', 'b@x.co'].map((email) => ({ json: named(email) }));
		await runNode(credentialFor(other), invite, { items: items.slice(1) });
		const credentials = [node.credential];
		const toJSON = () => credentials.pop() ?? credentialFor(other);
		const output = await runNode({ toJSON }, invite, { items }).finally(async () => await other.stop());
		expect(results(output)).toEqual(['invited', 'skipped']);
	});

	it('asks for no list when it is off, nor for what an earlier try has done', async () => {
		const executionId = randomUUID();
		const people = [named('a@x.co'), named('b@x.co')];
		node.service.addFault({ kind: 'status', status: 400, method: 'POST', skip: 1 });
		const tries = { executionId, retryOnFail: true };
		await failure(inviteAll(people, tries, { skipOpenInvites: false }));
		expect(lists()).toBe(0);
		expect(results(await inviteAll(people, tries))).toEqual(['invited', 'invited']);
		expect(sentTo()).toEqual(['a@x.co', 'b@x.co']);
	});
});

describe('Test Recipient', () => {
	const trial = (testRecipient: unknown, more: object = {}) => ({ additionalFields: { testRecipient, ...more } });

	it('gets every message in place of the people, who keep their names, and is shown in each item and above', async () => {
		const hints = jest.spyOn(ExecuteContext.prototype, 'addExecutionHints');
		const people = [named('ann@x.co'), { ...named(''), first: 'Ben', phone: '2125550101' }];
		const output = await inviteAll(people, {}, trial('mailto:me@x.co', { externalId: 'crm-1', notify: 'team@x.co' }));
		expect(sentTo()).toEqual(['me@x.co', 'me@x.co']);
		expect(output.map(({ json }) => [json.result, json.testRecipient, json.first_name])).toEqual([
			['invited', 'me@x.co', 'Alex'],
			['invited', 'me@x.co', 'Ben'],
		]);
		expect(hints.mock.calls.flat().map(({ message }) => message)).toEqual([
			'A trial: every message goes to me@x.co, and nobody else is written to.',
		]);
		for (const { body } of node.service.requests.filter(({ method }) => method === 'POST'))
			expect(Object.keys({ ...(body ?? {}) }).sort()).toEqual(['email', 'first_name', 'last_name']);
	});

	it('finds what the real run will find: open invites of the people, and one address twice', async () => {
		await inviteAll([named('ann@x.co')]);
		const people = [named('ann@x.co'), named('ben@x.co')];
		for (let times = 0; times < 2; times++)
			expect(results(await inviteAll(people, {}, trial('me@x.co')))).toEqual(['skipped', 'invited']);
		expect(results(await inviteAll(people))).toEqual(['skipped', 'invited']);
		const twins = inviteAll([named('cy@x.co'), named('CY@x.co')], {}, trial('me@x.co'));
		expect((await failure(twins)).message).toContain('row 2 CY@x.co: It has the address or number of row 1 cy@x.co');
		expect(sentTo()).toEqual(['ann@x.co', 'me@x.co', 'me@x.co', 'ben@x.co']);
	});

	it.each([
		['', 'is missing'],
		['={{ $json.nobody }}', 'is missing'],
		['me', 'is not a phone number'],
		['@', 'is not an e-mail address'],
	])('that is %j writes to nobody', async (testRecipient, fault) => {
		expect(await node.refusalOf(inviteAll([named('ann@x.co')], {}, trial(testRecipient)))).toContain(
			`Test Recipient ${fault}`,
		);
	});
});

describe('Session Send Invite', () => {
	const session = (more: object = {}) => ({
		...{ resource: 'session', operation: 'sendInvite', userId: byId('={{ $json.user }}'), sendBy: 'email' },
		...{ email: '={{ $json.email }}', additionalFields: {}, ...more },
	});

	async function people(emails: string[]) {
		const users = emails.map(() => randomUUID());
		for (const id of users) node.service.users.set(id, { id, first_name: 'Alex', last_name: 'Sample' });
		const items = users.map((user, index) => ({ json: { user, email: emails[index] } }));
		const order = { resource: 'verification', operation: 'order', userId: byId('={{ $json.user }}') };
		await node.run({ ...order, reportType: 'voie', additionalFields: {} }, { items });
		node.service.requests.length = 0;
		return items;
	}

	it('is refused as a whole before the first message, and invites the others where On Error continues', async () => {
		const items = await people(['ann@x.co', 'ben', 'ANN@x.co']);
		const { message } = await failure(node.run(session(), { items }));
		expect(message).toBe(
			"2 of 3 can't be invited: row 2 ben: Email is not an e-mail address; row 3 ANN@x.co: It has the address or number of row 1 ann@x.co",
		);
		expect(node.service.requests).toEqual([]);
		const output = await node.run(session(), { items, continueOnFail: true });
		expect(results(output)).toEqual(['invited', 'refused', 'refused']);
		expect(sentTo()).toEqual(['ann@x.co']);
	});

	it('finds out before the first message whose External ID nobody has, or several', async () => {
		const items = await people(['ann@x.co', 'ben@x.co', 'cy@x.co', 'dee@x.co']);
		const ids = ['crm-1', 'crm-0', 'crm-3', 'crm-3'];
		items.forEach(({ json }, index) =>
			Object.assign(node.service.users.get(json.user) ?? {}, { external_id: ids[index] }),
		);
		const asked = ['crm-1', 'crm-2', 'crm-3', 'crm-0'].map((user, index) => ({
			json: { ...items[index]?.json, user },
		}));
		const byOwnId = session({ userId: byExternalId('={{ $json.user }}') });
		const { message } = await failure(node.run(byOwnId, { items: asked }));
		expect(message).toBe(
			"2 of 4 can't be invited: row 2 ben@x.co: Argyle has no user with the External ID crm-2; " +
				'row 3 cy@x.co: 2 users have the External ID crm-3',
		);
		expect(posts()).toBe(0);
		node.service.addFault({ kind: 'status', status: 401, method: 'GET' });
		expect((await failure(node.run(byOwnId, { items: asked }))).message).toMatch(
			/^Row 1 ann@x\.co: Authorization failed/,
		);
		expect(results(await node.run(byOwnId, { items: asked, continueOnFail: true }))).toEqual([
			...['invited', 'refused', 'refused', 'invited'],
		]);
	});

	it('writes to the Test Recipient only', async () => {
		const items = await people(['ann@x.co', 'ben@x.co']);
		const output = await node.run(session({ additionalFields: { testRecipient: '212-555-0199' } }), { items });
		expect(output.map(({ json }) => [json.result, json.testRecipient])).toEqual(
			items.map(() => ['invited', '+12125550199']),
		);
		expect(sentTo()).toEqual(['+12125550199', '+12125550199']);
	});
});
