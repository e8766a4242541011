import { randomUUID } from 'node:crypto';
import { ExecuteContext } from 'n8n-core';
import type { IDataObject } from 'n8n-workflow';
import { clock } from '../../nodes/Argyle/utils/clock';
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
import { OPERATIONS } from './operations.mts';

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
			/^2 of 2 can't be invited: item 0 \S+: Email is missing, First Name is missing; item 1/,
		);
	});

	it('is refused as a whole, with all its faults and the people whose they are, before the first message', async () => {
		const error = await failure(inviteAll(EIGHT));
		expect(error.message).toBe(
			"3 of 8 can't be invited: item 3 dee[at]example.com: Email is not an e-mail address; " +
				'item 4 Eva Sample: Email is missing; item 5 fay@example.com: Last Name is missing',
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
			reason: 'Item 3 dee[at]example.com: Email is not an e-mail address',
			external_id: '',
			error: 'Email is not an e-mail address',
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
		expect(output[3]?.json.error).toBe('Item 3 dee[at]example.com: Email is not an e-mail address');
		expect(results(output)[0]).toBe('invited');
	});

	it('counts rows as the sheet does from which they come, in messages and in what comes out', async () => {
		const people = EIGHT.map((person, index) => ({ ...person, row_number: index + 2 }));
		expect((await failure(inviteAll(people))).message).toMatch(/: row 5 dee.*; row 6 Eva.*; row 7 fay/);
		const output = await inviteAll(people, { continueOnFail: true });
		expect(output.map(({ json }) => json.row_number)).toEqual(people.map(({ row_number }) => row_number));
		for (const { json } of output) expect(JSON.stringify(json)).not.toMatch(/item \d/i);
	});

	it('lets n8n answer others while it is read', async () => {
		let turns = 0;
		const count = () => {
			turns++;
			counting = setImmediate(count);
		};
		let counting = setImmediate(count);
		// Each row takes as long as the event loop may be held.
		const now = performance.now();
		let uptimes = 0;
		jest.spyOn(clock, 'uptime').mockImplementation(() => now + uptimes++ * 60);
		await failure(inviteAll(Array.from({ length: 50 }, (_, index) => named(`person ${index}`))));
		clearImmediate(counting);
		expect(turns).toBeGreaterThanOrEqual(50);
	});

	it.each<[what: string, people: Person[], message: RegExp]>([
		[
			'an address again, in other capitals',
			[named('Twin@x.co'), named('a@x.co'), named('TWIN@X.CO')],
			/^1 of 3 .*: item 2 TWIN@X.CO: It has the address or number of item 0 Twin@x.co$/,
		],
		[
			'a number again, as it is also written',
			[
				{ ...named(''), phone: '(212) 555-0101' },
				{ ...named(''), phone: 2125550101 },
			],
			/: item 1 2125550101: It has the address or number of item 0 \(212\) 555-0101$/,
		],
		['a row without anything', [named('a@x.co'), {}], /: item 1 empty: Email is missing, First Name is missing$/],
		[
			'an expression that fails',
			[named('a@x.co'), { first: 'Alex', last: 'Sample', email: ['b@x.co'] }],
			/^1 of 2 .*: item 1 b@x.co: Email is no text$/,
		],
		[
			'more than a message can name',
			Array.from({ length: 300 }, (_, index) => named(`person ${index}`)),
			/^300 of 300 .*; item 9 person 9: [^;]+; and 290 more$/,
		],
		['a social security number in place of an address', [named('a@x.co'), named('522-09-1191')], /: item 1 •••: /],
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
		expect(error.message).toBe('Item 2 cy@example.com: Argyle did not accept the request');
		expect(error.description).toContain(
			'Item 0 ann@example.com to item 1 ben@example.com were done before. If Skip Invited is With an Open or Completed Invite, the next run skips them.',
		);
		expect(results(await inviteAll(people))).toEqual(['skipped', 'skipped', 'invited', 'invited']);
		expect(sentTo()).toHaveLength(4);
	});

	it('says of an item of which nobody knows whether it was sent that it is unclear', async () => {
		useFakeTime();
		node.service.addFault({ kind: 'drop', method: 'POST' });
		const output = await inviteAll([named('a@x.co'), named('b@x.co')], { continueOnFail: true });
		expect(results(output)).toEqual(['unclear', 'invited']);
	});
});

describe('Skip Invited', () => {
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
		expect(item?.json.reason).toMatch(
			/is that of Alex Sample\. If that is somebody else, choose Nobody in Skip Invited/,
		);
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

	it.each<[status: string, open: string, byDefault: string]>([
		['sent', 'skipped', 'skipped'],
		['initiated', 'skipped', 'skipped'],
		['attempted', 'skipped', 'skipped'],
		['completed', 'invited', 'skipped'],
		['revoked', 'invited', 'invited'],
	])(
		'finds a person whose invite is %s %s if it means open ones, and %s by default',
		async (status, open, byDefault) => {
			const [item] = await inviteAll([named('a@x.co')]);
			Object.assign(node.service.invites.get(String(item?.json.id)) ?? {}, { status });
			const [again] = await inviteAll([named('A@X.CO')]);
			expect(again?.json.result).toBe(byDefault);
			if (byDefault === 'skipped')
				expect(again?.json.reason).toMatch(
					status === 'completed'
						? /^There is a completed invite, last changed at 20/
						: /^There is an open invite, last/,
				);
			node.service.invites.delete(byDefault === 'invited' ? String(again?.json.id) : '');
			expect(results(await inviteAll([named('A@X.CO')], {}, { skipInvited: 'open' }))).toEqual([open]);
			expect(results(await inviteAll([named('A@X.CO')], {}, { skipInvited: 'none' }))).toEqual(['invited']);
		},
	);

	it('finds an invite by a number in whatever form Argyle has it, and not by one of another country', async () => {
		const phone = '(212) 555-0101';
		const [item] = await inviteAll([{ ...named(''), phone }]);
		Object.assign(node.service.invites.get(String(item?.json.id)) ?? {}, { phone_number: '212-555-0101' });
		const numbers = ['+1 212 555 0101', '+44 2125550101'].map((each) => ({ ...named(''), phone: each }));
		expect(results(await inviteAll(numbers))).toEqual(['skipped', 'invited']);
	});

	it('puts out the newest of several open invites', async () => {
		for (let times = 0; times < 2; times++) await inviteAll([named('a@x.co')], {}, { skipInvited: 'none' });
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
			else expect((await failure(run)).message).toMatch(/^Item 0 a@x\.co: /);
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

	it('asks for no list when nobody is skipped, nor for what an earlier try has done', async () => {
		const executionId = randomUUID();
		const people = [named('a@x.co'), named('b@x.co')];
		node.service.addFault({ kind: 'status', status: 400, method: 'POST', skip: 1 });
		const tries = { executionId, retryOnFail: true };
		await failure(inviteAll(people, tries, { skipInvited: 'none' }));
		expect(lists()).toBe(0);
		expect(results(await inviteAll(people, tries))).toEqual(['invited', 'invited']);
		expect(sentTo()).toEqual(['a@x.co', 'b@x.co']);
	});
});

describe('Test Recipient', () => {
	const trial = (testRecipient: unknown, more: object = {}) => ({ additionalFields: { testRecipient, ...more } });

	it('gets every message in place of the people, who keep their names, and is shown in each item and above', async () => {
		const hints = jest.spyOn(ExecuteContext.prototype, 'addExecutionHints');
		const people = [
			{ ...named('ann@x.co'), id: 'crm-1' },
			{ ...named(''), first: 'Ben', phone: '2125550101', id: 'crm-2' },
		];
		const output = await inviteAll(
			people,
			{},
			trial('mailto:me@x.co', { externalId: '={{ $json.id }}', notify: 'team@x.co' }),
		);
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
		expect((await failure(twins)).message).toContain('item 1 CY@x.co: It has the address or number of item 0 cy@x.co');
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
			"2 of 3 can't be invited: item 1 ben: Email is not an e-mail address; item 2 ANN@x.co: It has the address or number of item 0 ann@x.co",
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
			"2 of 4 can't be invited: item 1 ben@x.co: Argyle has no user with the External ID crm-2; " +
				'item 2 cy@x.co: 2 users have the External ID crm-3',
		);
		expect(posts()).toBe(0);
		node.service.addFault({ kind: 'status', status: 401, method: 'GET' });
		expect((await failure(node.run(byOwnId, { items: asked }))).message).toMatch(
			/^Item 0 ann@x\.co: Authorization failed/,
		);
		expect(results(await node.run(byOwnId, { items: asked, continueOnFail: true }))).toEqual([
			...['invited', 'refused', 'refused', 'invited'],
		]);
	});

	it('knows no Test Recipient, who would enter as the person for 180 days', () => {
		const { fields = [] } = OPERATIONS.find(({ title }) => title === 'session sendInvite') ?? {};
		expect(JSON.stringify(fields)).not.toContain('testRecipient');
	});
});
