import type { Fault } from '../support/fakeArgyle/index.mts';
import { dropPackets, useFakeTime } from '../support/fakeTime.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const EMAIL = 'alex@example.com';

/** How an operation is run, and what it does to the world. */
interface Case {
	/** @default 'POST' */
	method?: string;
	/** Stores what the operation needs; returns its parameters. */
	prepare: () => Promise<object>;
	path: RegExp;
	/** How often it was done. */
	count: () => number;
	what: string;
	check: string;
}

const invited = async () => {
	const name = { firstName: 'Bea', lastName: 'Other', sendBy: 'email', email: 'bea@example.com' };
	const [item] = await node.run({ resource: 'invite', operation: 'send', ...name, additionalFields: {} });
	node.service.messages.length = 0;
	// So that what an earlier message left is older than any tolerance.
	const invite = node.service.invites.get(String(item?.json.id));
	if (invite === undefined) throw new Error('there is no invite');
	const before = '2026-01-01T00:00:00.000Z';
	Object.assign(invite, { created_at: before, invited_at: before, updated_at: before, deliveries: [] });
	return byId(invite.id);
};

const start = new Date(Date.now()).toISOString();
const isNew = ({ created_at: createdAt }: Record<string, unknown>) => String(createdAt) >= start;

const ORDER = { reportType: 'voie', additionalFields: { loanNumber: '4711' } };

/** A verification that was ordered some time ago, of a user with a name. */
const verified = async (status: object) => {
	const { user, ...rest } = { user: node.userId(), reportType: 'voie', additionalFields: {} };
	const [item] = await node.run({ resource: 'verification', operation: 'order', userId: byId(user), ...rest });
	const record = node.service.records.of('verifications').get(String(item?.json.id));
	if (record === undefined) throw new Error('there is no verification');
	Object.assign(record, { status, created_at: '2026-01-01T00:00:00.000Z' });
	return byId(record.id);
};

const withState = (state: string) =>
	[...node.service.records.of('verifications').values()].filter(({ status }) =>
		JSON.stringify(status).includes(`"state":"${state}"`),
	).length;

const revoked = () => [...node.service.invites.values()].filter(({ status }) => status === 'revoked').length;

const CASES: Record<string, Case> = {
	'Invite Send': {
		prepare: async () => ({
			...{ resource: 'invite', operation: 'send', firstName: 'Alex', lastName: 'Sample' },
			...{ sendBy: 'email', email: EMAIL, skipOpenInvites: false, additionalFields: {} },
		}),
		path: /^\/v2\/invites$/,
		count: () => node.service.messagesTo(EMAIL),
		what: 'the invite was sent',
		check: 'Invite: Get Many',
	},
	'Invite Resend': {
		prepare: async () => ({ resource: 'invite', operation: 'resend', inviteId: await invited() }),
		path: /^\/v2\/invites\/[^/]+$/,
		count: () => node.service.messagesTo('bea@example.com'),
		what: 'the invite was sent again',
		check: 'Invite: Get',
	},
	'Invite Revoke': {
		prepare: async () => ({ resource: 'invite', operation: 'revoke', inviteId: await invited() }),
		path: /revoke$/,
		count: revoked,
		what: 'the invite was revoked',
		check: 'Invite: Get',
	},
	'Session Send Invite': {
		prepare: async () => {
			await verified({ state: 'PENDING', code: 'pending', errors: [] });
			const user = { resource: 'session', operation: 'sendInvite', userId: byId(node.userId()) };
			return { ...user, sendBy: 'email', email: EMAIL, additionalFields: {} };
		},
		path: /^\/v2\/sessions$/,
		count: () => node.service.messagesTo(EMAIL),
		what: 'the invite was sent',
		check: 'Invite: Get Many',
	},
	'Verification Order': {
		prepare: async () => ({ resource: 'verification', operation: 'order', userId: byId(node.userId()), ...ORDER }),
		path: /^\/v2\/verifications$/,
		count: () => ordered(node.userId()),
		what: 'the verification was ordered',
		check: 'Verification: Get Many',
	},
	'Verification Refresh': {
		prepare: async () => ({ resource: 'verification', operation: 'refresh', userId: byId(node.userId(1)), ...ORDER }),
		path: /refresh$/,
		count: () => ordered(node.userId(1)),
		what: 'the verification was refreshed',
		check: 'Verification: Get Many',
	},
	'Webhook Create': {
		prepare: async () => ({
			...{ resource: 'webhook', operation: 'create', name: 'Forms', url: 'https://example.com/argyle' },
			...{ events: ['user_forms.submitted'], additionalFields: {}, options: {} },
		}),
		path: /webhooks$/,
		count: () => node.service.subscriptions.size,
		what: 'the webhook subscription was created',
		check: 'Webhook Subscription: Get Many',
	},
	'Verification Update': {
		prepare: async () => {
			const verificationId = await verified({ state: 'PENDING', code: 'pending', errors: [] });
			return { resource: 'verification', operation: 'update', verificationId, updateFields: { loanNumber: '4712' } };
		},
		...{ method: 'PATCH', path: /^\/v2\/verifications\/[^/]+$/ },
		count: () =>
			[...node.service.records.of('verifications').values()].filter(({ loan }) =>
				JSON.stringify(loan)?.includes('"number":"4712"'),
			).length,
		what: 'the verification was updated',
		check: 'Verification: Get',
	},
	'Verification Cancel': {
		prepare: async () => {
			const verificationId = await verified({ state: 'PAUSED', code: 'syncing_error', errors: [] });
			return { resource: 'verification', operation: 'cancel', verificationId };
		},
		path: /cancel$/,
		count: () => withState('CANCELLED'),
		what: 'the verification was cancelled',
		check: 'Verification: Get',
	},
};

const ordered = (user: string) =>
	[...node.service.records.of('verifications').values()].filter((one) => one.user === user && isNew(one)).length;

/** What goes wrong with a request, whether it was carried out, and what comes of it. */
const FAULTS: Array<[title: string, fault: Fault, done: 0 | 1, outcome: 'result' | 'unclear']> = [
	['the answer is lost after the work', { kind: 'dropAfterCommit' }, 1, 'result'],
	['the connection is lost before the work', { kind: 'drop' }, 0, 'unclear'],
	['500 comes before the work', { kind: 'status', status: 500 }, 0, 'unclear'],
	['500 comes after the work', { kind: 'statusAfterCommit', status: 500 }, 1, 'result'],
	['502 comes from a proxy, after the work', { kind: 'statusAfterCommit', status: 502 }, 1, 'result'],
	['502 comes from a proxy, before the work', { kind: 'html' }, 0, 'unclear'],
	['503 comes before the work', { kind: 'status', status: 503 }, 0, 'unclear'],
	['504 comes after the work', { kind: 'statusAfterCommit', status: 504 }, 1, 'result'],
	['429 comes twice, which is waited out', { kind: 'status', status: 429, times: 2 }, 1, 'result'],
	['200 without a record comes after the work', { kind: 'statusAfterCommit', status: 200, body: {} }, 1, 'result'],
	['200 without a record comes before the work', { kind: 'status', status: 200, body: {} }, 0, 'unclear'],
];

describe.each(Object.entries(CASES))('%s', (title, { method = 'POST', prepare, path, count, what, check }) => {
	it.each(FAULTS)(`${title} when %s`, async (_, fault, done, outcome) => {
		useFakeTime();
		const parameters = await prepare();
		const before = node.service.requests.length;
		node.service.addFault({ ...fault, method, path });
		if (outcome === 'result') {
			const [item] = await node.run(parameters);
			expect(item?.json).toMatchObject({ id: expect.any(String) });
		} else {
			const error = await failure(node.run(parameters));
			expect(error.message).toBe(`It is not known whether ${what} [item 0]`);
			expect(error.description).toContain(`Check with ${check} before you run this again.`);
			if (fault.kind === 'status') expect(error.description).toMatch(/Trace ID [0-9a-f]{32}\./);
			expect(JSON.stringify(error)).not.toContain('verify.argyle.com');
		}
		expect(count()).toBe(done);
		const sent = node.service.requests.slice(before).filter((request) => request.method === method);
		expect(sent).toHaveLength(fault.status === 429 ? 3 : 1);
	});

	it.each<[string, 0 | 1, Fault]>([
		['that never answers', 0, { kind: 'hang' }],
		['that does the work and never answers', 1, { kind: 'hangAfterCommit' }],
	])(`${title} to a service %s is sent once`, async (_, done, fault) => {
		const parameters = await prepare();
		node.service.addFault({ ...fault, method, path });
		const timeout = AbortSignal.timeout.bind(AbortSignal);
		let sent = 0;
		jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(sent++ === 0 ? 300 : ms));
		const outcome = await node.run(parameters).then(
			([item]) => item?.json.id,
			(error: Error) => error.message,
		);
		expect(outcome).toEqual(done === 1 ? expect.not.stringContaining(' ') : `It is not known whether ${what} [item 0]`);
		expect(count()).toBe(done);
	});

	it(`${title} is sent again when nothing can have arrived`, async () => {
		const parameters = await prepare();
		useFakeTime();
		await node.service.goOffline();
		const error = await failure(node.run(parameters));
		expect(error.message).toContain('Argyle could not be reached');
		await node.service.goOnline();
		await node.run(parameters);
		expect(count()).toBe(1);
	});
});

it.each([null, [], [{ id: 'first-of-a-list' }], { id: '' }, { detail: 'OK' }, '"sent"', '<p>OK', ''])(
	'an invite that is answered by 201 and %j is found',
	async (body) => {
		useFakeTime();
		const parameters = await CASES['Invite Send']?.prepare();
		node.service.addFault({ kind: 'statusAfterCommit', status: 201, body, method: 'POST' });
		const [item] = await node.run({ ...parameters });
		expect(item?.json.id).toBe([...node.service.invites.keys()][0]);
		expect(node.service.messagesTo(EMAIL)).toBe(1);
	},
);

it('an invite that was answered is not taken for another to the same person, whose answer was lost', async () => {
	useFakeTime();
	const parameters = await CASES['Invite Send']?.prepare();
	await node.run({ ...parameters });
	node.service.addFault({ kind: 'status', status: 500, method: 'POST' });
	const error = await failure(node.run({ ...parameters }));
	expect(error.message).toContain('It is not known whether the invite was sent');
});

it("an invite is found by Argyle's clock, though n8n's is an hour off", async () => {
	useFakeTime();
	const parameters = await CASES['Invite Send']?.prepare();
	node.service.addFault({ kind: 'dropAfterCommit', method: 'POST' });
	node.service.clockOffsetMs = -3_600_000;
	const [item] = await node.run({ ...parameters });
	expect(item?.json).toMatchObject({ email: EMAIL });
});

it('packets that are dropped on their way leave it unclear, and nothing is sent twice', async () => {
	useFakeTime();
	dropPackets();
	const parameters = await CASES['Invite Send']?.prepare();
	expect((await failure(node.run({ ...parameters }))).message).toContain('It is not known whether the invite was sent');
	expect(node.service.messages).toHaveLength(0);
});
