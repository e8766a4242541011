import { CHECKS } from '../../scripts/contract/checks/index.mts';
import { startFakeTarget } from '../../scripts/contract/fakeTarget.mts';
import type { Target } from '../../scripts/contract/options.mts';
import { OWN_NAME } from '../../scripts/contract/ownObjects.mts';
import { lineOf, summaryOf } from '../../scripts/contract/report.mts';
import { runChecks } from '../../scripts/contract/session.mts';
import type { FakeArgyle } from '../support/fakeArgyle/index.mts';

let argyle: FakeArgyle;
let target: Target;

beforeEach(async () => {
	({ argyle, target } = await startFakeTarget());
});
afterEach(async () => await argyle.stop());

const unsent = CHECKS.filter(({ needs }) => needs !== 'deliveries');

const run = async (changes: Partial<Target> = {}, signal = new AbortController().signal) =>
	await runChecks({ ...target, ...changes }, unsent, signal);

const failure = async (running: Promise<unknown>) =>
	await running.then(
		() => 'none',
		(error: unknown) => String(error),
	);

const stored = () => ({
	subscriptions: [...argyle.subscriptions.values()].filter(({ name }) => name === OWN_NAME).length,
	users: [...argyle.users.values()].filter(({ external_id }) => external_id === OWN_NAME).length,
	invites: [...argyle.invites.values()].filter(({ status }) => status !== 'revoked').length,
	reports: [...argyle.records.of('reports').values()].filter(({ status }) => status === 'generating').length,
});

const NOTHING = { subscriptions: 0, users: 0, invites: 0, reports: 0 };

describe('what a contract run leaves', () => {
	it('a contract run removes all that it has created', async () => {
		const { left } = await run();
		expect(argyle.requests.filter(({ method }) => method === 'POST').length).toBeGreaterThan(10);
		expect(left).toEqual([]);
		expect(stored()).toEqual(NOTHING);
	});

	it.each([1, 9, 17])(
		'a contract run that is interrupted while it creates subscription %i leaves nothing',
		async (moment) => {
			const controller = new AbortController();
			let count = 0;
			argyle.onCreated = async () => {
				if (++count === moment) controller.abort();
			};
			const { wasInterrupted, left } = await run({}, controller.signal);
			expect({ wasInterrupted, left, count }).toEqual({ wasInterrupted: true, left: [], count: moment });
			expect(stored()).toEqual(NOTHING);
		},
	);

	it('a contract run removes what was created though the answer was lost', async () => {
		argyle.addFault({ kind: 'dropAfterCommit', method: 'POST', path: '/v2/webhooks', times: 3 });
		await run();
		expect(stored()).toEqual(NOTHING);
	});

	it('a contract run removes what one before it has left when it was killed, and nothing of others', async () => {
		const others = ['Forms', `${OWN_NAME} of ours`];
		const request = async (name: string) =>
			await fetch(`${argyle.origin}/v2/webhooks`, {
				method: 'POST',
				headers: { Authorization: `Basic ${btoa(`${argyle.key.id}:${argyle.key.secret}`)}` },
				body: JSON.stringify({ name, url: 'https://example.com', events: ['accounts.added'] }),
			});
		for (const name of [OWN_NAME, ...others]) await request(name);
		await run();
		expect([...argyle.subscriptions.values()].map(({ name }) => name)).toEqual(others);
	});

	it('a contract run names what it could not remove', async () => {
		argyle.addFault({ kind: 'status', method: 'DELETE', status: 500, times: Infinity });
		const { left } = await run();
		const { subscriptions, users, reports } = stored();
		expect(left).toHaveLength(subscriptions + users + reports);
		expect(left).toContainEqual(expect.stringMatching(/^\/v2\/webhooks\/[0-9a-f-]{36}$/));
	});

	it('a contract run without --write reads only', async () => {
		const { results } = await run({ writes: false });
		expect(new Set(argyle.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
		expect(results.find(({ check }) => check.assumption === 'unsetConfig')).toMatchObject({
			verdict: 'skipped',
			how: 'It needs --write.',
		});
	});

	it('a contract run without an address sends nothing to a person', async () => {
		await run({ mailTo: undefined });
		expect(argyle.messages).toEqual([]);
	});
});

describe('what a contract run says', () => {
	it('a contract run says that the key is of the other environment', async () => {
		expect(await failure(run({ key: argyle.otherEnvironmentKey }))).toMatch(
			/The key is one of production, and http.* is asked as sandbox/,
		);
	});

	it('a contract run says that the service does not know the key', async () => {
		expect(await failure(run({ key: { id: 'nobody', secret: 'secret' } }))).toMatch(
			/does not know the key. Check ARGYLE_API_KEY_ID/,
		);
	});

	it('a contract run says that nothing answers at the address', async () => {
		await argyle.goOffline();
		expect(await failure(run())).toMatch(/could not be reached.*ECONNREFUSED.*whether the service is up/);
		await argyle.goOnline();
	});

	it.each([
		[{ kind: 'status', status: 503 } as const, /is down \(status 503\). Try again later/],
		[{ kind: 'status', status: 429 } as const, /asked too often by this account already/],
		[{ kind: 'html', status: 200 } as const, /does not answer as Argyle's API does \(status 200\). Check --url/],
	])('a contract run says why it can not begin after %p', async (fault, message) => {
		argyle.addFault(fault);
		expect(await failure(run())).toMatch(message);
	});

	it('a contract run with a key of few rights tells what the key may read, and names what it may not', async () => {
		argyle.addFault({ kind: 'status', status: 403, path: /^\/v2\/(webhooks|gigs|paystubs|users)/, times: Infinity });
		const { results } = await run();
		const of = (name: string) => results.find(({ check }) => check.assumption === name);
		expect(of('gigsOrder')).toMatchObject({ verdict: "can't be told", seen: 'The key may not read /v2/gigs (403).' });
		expect(of('unsetConfig')).toMatchObject({ verdict: "can't be told", seen: 'The key may not do this (403).' });
		expect(of('userFormsOrder')).toMatchObject({ verdict: 'holds' });
		expect(of('unknownRecord')).toMatchObject({ verdict: "can't be told", seen: 'The key may not do this (403).' });
		const differing = results.filter(({ verdict }) => verdict === 'differs').map(({ check }) => check.assumption);
		// Those that ask with another key, which the fault refuses too.
		expect(differing).toEqual(['unknownKey', 'keyOfOtherEnvironment']);
	});

	it('a contract run with an account without anything tells no difference, and says how to make records', async () => {
		for (const store of [argyle.users, argyle.userForms, argyle.records.files]) store.clear();
		for (const { path } of [...argyle.requests]) argyle.records.of('gigs').delete(path);
		const recordTypes = ['accounts', 'gigs', 'paystubs', 'shifts', 'identities', 'employments', 'reports'] as const;
		for (const name of [...recordTypes, 'payroll-documents', 'user-uploads', 'verifications'] as const)
			argyle.records.of(name).clear();
		const { results } = await run({ writes: false });
		expect(results.filter(({ verdict }) => verdict === 'differs').map(lineOf)).toEqual([]);
		const summary = summaryOf(results);
		expect(summary).toContain('The account does not show everything:');
		expect(summary).toContain('in Link, search for an employer that does not exist');
		expect(summary).toContain('sample credentials');
	});

	it('a difference is shown with what was believed, what was seen and which files depend on it', async () => {
		Object.assign(argyle.assumed, { endOfList: 'an empty text' });
		const { results } = await run({ writes: false });
		const result = results.find(({ verdict }) => verdict === 'differs');
		expect(result && lineOf(result)).toBe(
			[
				'differs        endOfList: What is `next` on the last page?',
				'believed: null',
				'seen:     an empty text',
				'look at:  nodes/Argyle/api/pagination.ts',
			].join('\n               '),
		);
	});

	it('nothing that a contract run says holds a value of a record', async () => {
		const { results } = await run();
		const said = [...results.map(lineOf), summaryOf(results)].join('\n');
		const values = [...argyle.users.values()].flatMap((user) => Object.values(user)).filter((value) => value !== null);
		for (const value of [...values.map(String), ...argyle.userForms.keys()].filter(({ length }) => length > 4))
			expect(said).not.toContain(value);
	});
});
