import { randomUUID } from 'node:crypto';
import { useFakeTime } from '../support/fakeTime.mts';
import { loadActionNode } from '../support/n8nCore/loadActionNode.mts';
import { actionNode, failure } from '../support/n8nCore/n8nContext.mts';
import {
	byExternalId,
	byId,
	inviteParameters,
	nodeContext,
	type RunOptions,
	useNodeFixture,
} from '../support/n8nCore/nodeFixture.mts';
import { inputOf, OPERATIONS } from './operations.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const LONGEST = 'x'.repeat(100);

/** Stores users with this ID of the customer's, a second after each other. */
function addUsers(externalId: string, count = 1): string[] {
	return Array.from({ length: count }, (_, index) => {
		const id = randomUUID();
		const created_at = new Date(Date.UTC(2026, 0, 1, 0, 0, index)).toISOString();
		node.service.users.set(id, { id, created_at, external_id: externalId, first_name: 'Alex', last_name: 'Sample' });
		return id;
	});
}

const paths = () => node.service.requests.map(({ method, path, query }) => `${method} ${path}${query}`);
const withId = (externalId: string) =>
	[...node.service.users.values()].filter(({ external_id: id }) => id === externalId);

const getUser = async (externalId: unknown, options?: RunOptions) =>
	await node.run({ resource: 'user', operation: 'get', userId: byExternalId(externalId), options: {} }, options);

describe('By External ID', () => {
	it.each([
		['crm-7', 'crm-7'],
		[' "crm-7" ', 'crm-7'],
		[4711, '4711'],
		[LONGEST, LONGEST],
		['Jürgen & Söhne #1', 'Jürgen & Söhne #1'],
	])('finds the one user with %j', async (entered, externalId) => {
		node.service.assumed.externalIdFilter = 'those whose ID begins with it';
		const [id] = addUsers(externalId);
		addUsers(`${externalId}0`);
		const [item] = await getUser(entered);
		expect(item?.json.id).toBe(id);
	});

	it('is also the filter of Get Many, however Argyle filters', async () => {
		node.service.assumed.externalIdFilter = 'those whose ID begins with it';
		const ids = addUsers('crm-7', 2);
		addUsers('crm-70');
		const filters = { externalId: 'crm-7' };
		const found = await node.run({ resource: 'user', operation: 'getAll', filters, returnAll: true });
		expect(found.map(({ json }) => json.id).sort()).toEqual(ids.sort());
	});

	it('says that there is none, or which they are', async () => {
		expect((await failure(getUser('crm-7'))).message).toBe('Argyle has no user with the External ID crm-7 [item 0]');
		expect((await failure(getUser('522-09-1191'))).message).toBe(
			'Argyle has no user with the External ID ••• [item 0]',
		);
		const ids = addUsers('crm-8', 12);
		const { message, description } = await failure(getUser('crm-8'));
		expect(message).toBe('12 users have the External ID crm-8 [item 0]');
		expect(ids.filter((id) => description?.includes(id))).toHaveLength(10);
		expect(description).toContain(' and 2 more.');
	});

	it.each(['', '  ', '""', '={{ $json.nobody }}', '={{ null }}'])(
		'that is blank (%j) is refused before a request',
		async (blank) => {
			expect(await node.refusalOf(getUser(blank))).toBe('User is missing [item 0]');
		},
	);

	const LEFT_OVER: Array<[string, string, (userId: object) => object]> = [
		['erases', 'User', (userId) => ({ operation: 'delete', confirmDeletion: true, userId })],
		[
			'lists the accounts of',
			'The filter User',
			(user) => ({ resource: 'account', operation: 'getAll', filters: { user } }),
		],
		[
			'lists the invites of',
			'The filter User',
			(user) => ({ resource: 'invite', operation: 'getAll', filters: { user } }),
		],
	];

	const EXPRESSIONS = ['=crm-{{ $json.id }}', "={{ 'crm-' + $json.id }}", '={{ `crm-${$json.id}` }}'];

	it.each(LEFT_OVER.flatMap(([does, ...row]) => EXPRESSIONS.map((expression) => [does, expression, ...row] as const)))(
		'%s nobody by what is left of %s for an empty cell',
		async (_, expression, field, operation) => {
			['crm-', 'crm-null', 'crm-undefined'].forEach((externalId) => addUsers(externalId));
			const parameters = { resource: 'user', ...operation(byExternalId(expression)) };
			for (const json of [{ id: '' }, { id: null }, {}]) {
				const { message } = await failure(node.run(parameters, { items: [{ json }] }));
				expect(message).toMatch(field === 'User' ? /^User is missing/ : /^The filter User has no value/);
			}
			expect(node.service.requests).toEqual([]);
			expect(await node.run(parameters, { items: [{ json: { id: node.userId() } }] }).catch(String)).toContain(
				'no user',
			);
		},
	);

	const CHANGED: Array<[string, string, object]> = [
		['erased', 'DELETE', { operation: 'delete', confirmDeletion: true }],
		[
			'given another External ID',
			'PATCH',
			{ operation: 'update', updateFields: { externalId: '=new {{ $json.id }}' } },
		],
	];

	it.each(CHANGED)('still means the user whom an earlier try of Retry On Fail has %s', async (_, method, operation) => {
		const ids = [...addUsers('crm-7'), ...addUsers('crm-8')];
		node.service.addFault({ kind: 'status', status: 400, method, skip: 1 });
		const parameters = { resource: 'user', userId: byExternalId('={{ $json.id }}'), ...operation };
		const run = async (executionId: string) =>
			await node.run(parameters, {
				items: [{ json: { id: 'crm-7' } }, { json: { id: 'crm-8' } }],
				executionId,
				retryOnFail: true,
			});
		expect((await failure(run(`one ${method}`))).message).toBe('Argyle did not accept the request [item 1]');
		expect((await run(`one ${method}`)).map(({ json }) => json.id)).toEqual(ids);
		expect([...withId('crm-7'), ...withId('crm-8')]).toEqual([]);
		expect((await failure(run(`other ${method}`))).message).toBe(
			'Argyle has no user with the External ID crm-7 [item 0]',
		);
	});

	it('means nobody in the next round of a loop, once the user has another one', async () => {
		addUsers('crm-7');
		const parameters = {
			...{ resource: 'user', operation: 'update', userId: byExternalId('crm-7') },
			updateFields: { externalId: 'crm-8' },
		};
		const round = async (runIndex: number) => await node.run(parameters, { executionId: 'a loop', runIndex });
		await round(0);
		expect((await failure(round(1))).message).toBe('Argyle has no user with the External ID crm-7 [item 0]');
	});

	it.each([
		['try of Retry On Fail', 0],
		['round of a loop', 1],
	])('of a user whose erasing got no clear answer is looked for again in the next %s', async (title, runIndex) => {
		useFakeTime();
		const [id] = addUsers('crm-7');
		node.service.addFault({ kind: 'statusAfterCommit', status: 500, method: 'DELETE', times: Infinity });
		node.service.addFault({ kind: 'status', status: 400, method: 'GET', path: `/v2/users/${id}`, times: Infinity });
		const parameters = { resource: 'user', operation: 'delete', confirmDeletion: true, userId: byExternalId('crm-7') };
		const run = async (options: RunOptions) =>
			await node.run(parameters, { executionId: `unclear ${title}`, retryOnFail: true, ...options });
		expect((await failure(run({}))).message).toContain('It is not known whether');
		node.service.clearFaults();
		expect(await run({ runIndex })).toMatchObject([{ json: { deleted: true, id } }]);
	});

	it('is looked up once for each ID in a run, however many items have it', async () => {
		useFakeTime();
		addUsers('crm-7');
		addUsers('crm-8');
		const items = Array.from({ length: 50 }, (_, index) => ({ json: { id: `crm-${7 + (index % 2)}` } }));
		const output = await getUser('={{ $json.id }}', { items });
		expect(output).toHaveLength(50);
		const lookups = paths().filter((path) => path.includes('external_id'));
		expect(lookups.sort()).toEqual([7, 8].map((each) => `GET /v2/users?external_id=crm-${each}&limit=200`));
		await getUser('crm-7');
		expect(paths().filter((path) => path.includes('external_id'))).toHaveLength(3);
	});

	it('is looked up again for the next item, when Argyle is back after it was away', async () => {
		useFakeTime();
		addUsers('crm-7');
		// It is away for longer than the node waits.
		node.service.addFault({ kind: 'status', status: 503, headers: { 'Retry-After': '100' }, method: 'GET' });
		const order = { resource: 'verification', operation: 'order', reportType: 'voie', additionalFields: {} };
		const items = [{ json: {} }, { json: {} }];
		const output = await node.run({ ...order, userId: byExternalId('crm-7') }, { items, continueOnFail: true });
		expect(output.map(({ json }) => 'error' in json)).toEqual([true, false]);
	});

	const TAKERS = OPERATIONS.filter(({ fields }) => fields.some(({ name }) => name === 'userId'));

	it('is offered by each operation that takes a user', () => expect(TAKERS.length).toBeGreaterThan(8));

	it.each(TAKERS)(
		'$resource $operation does for the user of an External ID what it does for that ID',
		async ({ resource, operation }) => {
			const [parameters, items] = await inputOf(node, resource, operation);
			const user = node.service.users.get(node.userId(1));
			Object.assign(user ?? {}, { external_id: 'crm-7' });
			node.service.requests.length = 0;
			const chosen = { resource, operation, ...parameters, userId: byExternalId('crm-7') };
			expect(await node.run(chosen, { items: items?.slice(0, 1) })).toHaveLength(1);
			const [lookup, ...others] = node.service.requests;
			expect(`${lookup?.path}${lookup?.query}`).toBe('/v2/users?external_id=crm-7&limit=200');
			expect(JSON.stringify(others.map(({ path, query, body }) => [path, query, body]))).toContain(user?.id);
		},
	);

	it.each(['account', 'userForm', 'invite'])(
		'filters the list of %s by the user of an External ID',
		async (resource) => {
			const user = String([...node.service.accounts.values()][0]?.user);
			Object.assign(node.service.users.get(user) ?? {}, { external_id: 'crm-7' });
			const list = { resource, operation: 'getAll', returnAll: true };
			const [sent] = await node.run(inviteParameters('a@x.co'));
			Object.assign(node.service.invites.get(String(sent?.json.id)) ?? {}, { user });
			const byUser = await node.run({ ...list, filters: { user: byId(user) } });
			expect(byUser.length).toBeGreaterThan(0);
			expect(await node.run({ ...list, filters: { user: byExternalId('crm-7') } })).toEqual(byUser);
			const { message } = await failure(node.run({ ...list, filters: { user: byExternalId('crm-none') } }));
			expect(message).toContain('Argyle has no user with the External ID crm-none');
		},
	);
});

describe('User Create or Update', () => {
	const upsert = async (
		externalId: unknown,
		additionalFields: object = {},
		options?: RunOptions,
		agentMayAct = false,
	) => await node.run({ resource: 'user', operation: 'upsert', externalId, additionalFields, agentMayAct }, options);

	it.each(['yes', 'no'] as const)(
		'creates the user whom nobody has yet, and from then on updates them, listed at once: %s',
		async (userIsListed) => {
			const now = Date.now();
			useFakeTime(() => now);
			node.service.assumed.userIsListed = userIsListed;
			const [first] = await upsert('crm-7', { firstName: 'Alex', ssn: '522-09-1191' });
			expect(first?.json).toMatchObject({ result: 'created', external_id: 'crm-7', first_name: 'Alex', ssn: '•••' });
			const [second] = await upsert(' crm-7 ', { firstName: 'Bea' });
			expect(second?.json).toMatchObject({ result: 'updated', id: first?.json.id, first_name: 'Bea' });
			const [third] = await upsert('crm-7');
			expect(third?.json).toMatchObject({ result: 'updated', id: first?.json.id, first_name: 'Bea' });
			expect(withId('crm-7')).toHaveLength(1);
		},
	);

	it.each(['yes', 'no'] as const)(
		'updates the user whom an invite has just created, listed at once: %s',
		async (userIsListed) => {
			const now = Date.now();
			useFakeTime(() => now);
			node.service.assumed.userIsListed = userIsListed;
			const [sent] = await node.run(inviteParameters('a@x.co', { additionalFields: { externalId: 'crm-7' } }));
			const [item] = await upsert('crm-7', { firstName: 'Alex' });
			expect(item?.json).toMatchObject({ result: 'updated', id: sent?.json.user, first_name: 'Alex' });
			expect(withId('crm-7')).toHaveLength(1);
		},
	);

	it('finds the user of an invite whose External ID had quotes around it', async () => {
		const [sent] = await node.run(inviteParameters('a@x.co', { additionalFields: { externalId: ' "crm-7" ' } }));
		expect((await getUser('"crm-7"'))[0]?.json.id).toBe(sent?.json.user);
	});

	it.each(['', null, undefined])('refuses what is left of crm-{{ $json.id }} for the ID %j', async (id) => {
		const items = [{ json: { id } }];
		expect(await node.refusalOf(upsert('=crm-{{ $json.id }}', { firstName: 'Alex' }, { items }))).toBe(
			'External ID is missing [item 0]',
		);
	});

	it.each(['', null, undefined])('is not set to what is left of crm-{{ $json.id }} for the ID %j', async (id) => {
		const items = [{ json: { id } }];
		const fields = { firstName: 'Alex', externalId: '=crm-{{ $json.id }}' };
		await node.run({ resource: 'user', operation: 'create', additionalFields: fields }, { items });
		const update = { resource: 'user', operation: 'update', userId: byId(node.userId()), updateFields: fields };
		await node.run(update, { items });
		await node.run(inviteParameters('a@x.co', { additionalFields: fields }), { items });
		const sent = node.writes().map(({ body }) => body);
		expect(sent).toHaveLength(3);
		for (const body of sent) expect(body).not.toHaveProperty('external_id');
	});

	it('gives a user in a tool the fields of an earlier call again, after another call has changed them', async () => {
		const executionId = randomUUID();
		for (const [runIndex, firstName] of ['Alex', 'Bea', 'Alex'].entries()) {
			const [item] = await upsert('crm-7', { firstName }, { isTool: true, executionId, runIndex }, true);
			expect(item?.json.first_name).toBe(firstName);
		}
		expect(withId('crm-7')).toMatchObject([{ first_name: 'Alex' }]);
	});

	it('erases nobody in a tool whom an earlier call has created, when another user gets the ID in between', async () => {
		const options = { isTool: true, executionId: randomUUID() };
		const [created] = await upsert('crm-7', { firstName: 'Alex' }, { ...options, runIndex: 0 }, true);
		const older = [...node.service.users.values()].find(({ id }) => id === node.userId());
		Object.assign(older ?? {}, { external_id: 'crm-7' });
		const again = { ...options, runIndex: 1 };
		const { message } = await failure(upsert('crm-7', { firstName: 'Alex' }, again, true));
		expect(message).toMatch(/^2 users have the External ID crm-7/);
		expect(withId('crm-7').map(({ id }) => id)).toEqual(expect.arrayContaining([created?.json.id, node.userId()]));
		expect(node.service.erased.size).toBe(0);
	});

	it('refuses the NaN that an expression makes of an empty cell, which would be the ID of everybody', async () => {
		const items = [{ json: { id: '' } }];
		expect(await node.refusalOf(upsert('={{ parseInt($json.id) }}', { firstName: 'Alex' }, { items }))).toBe(
			'External ID is no text [item 0]',
		);
	});

	it('changes nobody when several have the ID, and says which', async () => {
		const ids = addUsers('crm-7', 2);
		const { message, description } = await failure(upsert('crm-7', { firstName: 'Bea' }));
		expect(message).toBe('2 users have the External ID crm-7 [item 0]');
		for (const id of ids) expect(description).toContain(id);
		expect(withId('crm-7').map(({ first_name: name }) => name)).toEqual(['Alex', 'Alex']);
	});

	it('makes no second user after an answer that was lost', async () => {
		useFakeTime();
		node.service.addFault({ kind: 'dropAfterCommit', method: 'POST' });
		const [item] = await upsert('crm-7', { firstName: 'Alex' });
		expect(item?.json).toMatchObject({ result: 'created', first_name: 'Alex' });
		expect((await upsert('crm-7'))[0]?.json).toMatchObject({ result: 'updated', id: item?.json.id });
		expect(withId('crm-7')).toHaveLength(1);
	});

	it('that is unclear is looked up by the next run, and not made twice', async () => {
		useFakeTime();
		node.service.addFault({ kind: 'dropAfterCommit', method: 'POST' });
		node.service.addFault({ kind: 'status', status: 400, method: 'GET', skip: 1 });
		const { message } = await failure(upsert('crm-7'));
		expect(message).toBe('It is not known whether the user was created [item 0]');
		expect((await upsert('crm-7'))[0]?.json.result).toBe('updated');
		expect(withId('crm-7')).toHaveLength(1);
	});

	it('of one process makes one user, however many runs ask at once', async () => {
		const names = ['Alex', 'Bea', 'Cy'];
		const output = await Promise.all(names.map(async (firstName) => await upsert('crm-7', { firstName })));
		expect(output.map(([item]) => item?.json.result).sort()).toEqual(['created', 'updated', 'updated']);
		expect(withId('crm-7')).toHaveLength(1);
	});

	/** Another process creates its user between this one's look and its creation, with a time beside its own. */
	function createMeanwhile(offsetMs: number): string {
		const id = randomUUID();
		const created = new Date(Date.now() + offsetMs).toISOString();
		node.service.addFault({
			...{ kind: 'statusAfterCommit', method: 'POST', path: '/v2/users', status: 201 },
			matches: () => {
				node.service.users.set(id, { id, created_at: created, external_id: 'crm-7', first_name: 'Other' });
				return false;
			},
		});
		return id;
	}

	it.each([-60_000, 60_000])(
		'erases nobody when another process has created a user in the same moment, and names both (%i ms beside)',
		async (offsetMs) => {
			const other = createMeanwhile(offsetMs);
			const { message, description } = await failure(upsert('crm-7', { firstName: 'Alex' }));
			expect(message).toBe('2 users have the External ID crm-7 [item 0]');
			for (const { id } of withId('crm-7')) expect(description).toContain(id);
			expect(
				withId('crm-7')
					.map(({ first_name: name }) => name)
					.sort(),
			).toEqual(['Alex', 'Other']);
			expect([withId('crm-7').some(({ id }) => id === other), node.service.erased.size]).toEqual([true, 0]);
		},
	);

	it('gives its fields to the user whom another process created, when its own creation was lost', async () => {
		useFakeTime();
		const other = createMeanwhile(0);
		node.service.addFault({ kind: 'drop', method: 'POST', path: '/v2/users' });
		const [item] = await upsert('crm-7', { firstName: 'Alex' });
		expect(item?.json).toMatchObject({ id: other, first_name: 'Alex' });
		expect(withId('crm-7')).toHaveLength(1);
	});

	it('of two workers at once erases nobody, and names the two users in one of them or in the next step', async () => {
		// Both have looked before either creates.
		node.service.addFault({ kind: 'slow', method: 'POST', delayMs: 200, times: 2 });
		const outcomes = await upsertByTwoWorkers();
		expect([withId('crm-7').length, node.service.erased.size]).toEqual([2, 0]);
		const twins = '2 users have the External ID crm-7 [item 0]';
		for (const { reason = twins } of outcomes) expect(reason).toBe(twins);
		expect((await failure(upsert('crm-7'))).message).toBe(twins);
	});

	it.each([1, 2])(
		'of two workers at once, of whose answers %i are lost, never leaves two users in silence',
		async (lost) => {
			node.service.addFault({ kind: 'dropAfterCommit', method: 'POST', path: '/v2/users', times: lost });
			const outcomes = await upsertByTwoWorkers();
			const ids = outcomes.flatMap(({ value = [] }) => value);
			const failures = outcomes.flatMap(({ reason = [] }) => reason);
			const left = withId('crm-7').map(({ id }) => id);
			expect(left).toEqual(expect.arrayContaining(ids));
			expect(left.length).toBeLessThanOrEqual(1 + failures.length);
			for (const failed of failures)
				expect(failed).toMatch(/^(It is not known whether the user was created|2 users have the External ID crm-7) /);
			const next = await upsert('crm-7').then(
				() => '1 user',
				({ message }: Error) => message,
			);
			expect(next).toMatch(new RegExp(`^${left.length} user`));
		},
	);

	/** Two processes of n8n do it at the same time: the ID that each puts out, or why it fails. */
	async function upsertByTwoWorkers(): Promise<Array<{ value?: unknown; reason?: string }>> {
		const parameters = { resource: 'user', operation: 'upsert', externalId: 'crm-7', additionalFields: {} };
		return await Promise.all(
			[actionNode, loadActionNode()].map(async (worker) => {
				return await worker.execute.call(nodeContext(node.credential, parameters)).then(
					([output]) => ({ value: output?.[0]?.json.id }),
					({ message }: Error) => ({ reason: message }),
				);
			}),
		);
	}
});

describe('User Create', () => {
	const create = async (additionalFields: object, options?: RunOptions) =>
		await node.run({ resource: 'user', operation: 'create', additionalFields }, options);

	it('makes no second user with an External ID, which an agent could do without leave', async () => {
		const [id] = addUsers('crm-7');
		for (const isTool of [false, true])
			expect(await failure(create({ externalId: 'crm-7' }, { isTool }))).toMatchObject({
				message: expect.stringContaining(`Alex Sample (user ${id}) has the External ID crm-7 already`),
				description: expect.stringContaining('Use User: Update to change this user, or User: Create or Update'),
			});
		const both = await Promise.allSettled([create({ externalId: 'crm-8' }), create({ externalId: 'crm-8' })]);
		expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
		expect([withId('crm-7').length, withId('crm-8').length]).toEqual([1, 1]);
	});

	it('is done once for each item by the tries of Retry On Fail', async () => {
		node.service.addFault({ kind: 'status', status: 400, method: 'POST', skip: 1 });
		const items = ['crm-7', 'crm-8'].map((id) => ({ json: { id } }));
		const tries = { items, executionId: randomUUID(), retryOnFail: true };
		await failure(create({ externalId: '={{ $json.id }}' }, tries));
		expect(await create({ externalId: '={{ $json.id }}' }, tries)).toHaveLength(2);
		expect([withId('crm-7').length, withId('crm-8').length]).toEqual([1, 1]);
	});
});

describe('User Update', () => {
	const update = async (userId: string, externalId: string) =>
		await node.run({ resource: 'user', operation: 'update', userId: byId(userId), updateFields: { externalId } });

	it('gives nobody the External ID of another user, and says who has it', async () => {
		const [id] = addUsers('crm-7');
		expect(await failure(update(node.userId(), 'crm-7'))).toMatchObject({
			message: `Alex Sample (user ${id}) has the External ID crm-7 already [item 0]`,
			description: expect.stringContaining('give the other user another one first. Nothing was changed at Argyle.'),
		});
		addUsers('crm-7');
		expect((await failure(update(node.userId(), 'crm-7'))).message).toMatch(/^2 users have the External ID crm-7/);
		expect(paths()).toEqual(Array(2).fill('GET /v2/users?external_id=crm-7&limit=200'));
	});

	it('gives nobody an External ID that Argyle might take for that of another user', async () => {
		node.service.assumed.externalIdIsKept = 'in small letters';
		const [id] = addUsers('crm-7');
		expect(await failure(update(node.userId(), 'CRM-7'))).toMatchObject({
			message: 'Argyle has the External ID CRM-7 as "crm-7" [item 0]',
			description: expect.stringContaining(`User ${id} has it.`),
		});
		expect(node.writes()).toEqual([]);
	});

	it.each(['as it was sent', 'in small letters'] as const)(
		'lets a user keep the External ID, and write it otherwise (Argyle keeps it %s)',
		async (externalIdIsKept) => {
			Object.assign(node.service.assumed, { externalIdIsKept, externalIdFilter: 'those whose ID begins with it' });
			const [id = ''] = addUsers('crm-7');
			for (const externalId of ['crm-7', 'CRM-7']) await update(id, externalId);
			// The user had it before, so nothing gets worse.
			const [first = ''] = addUsers('crm-8', 2);
			await update(first, 'crm-8');
			expect(node.writes().map(({ body }) => body)).toEqual(
				['crm-7', 'CRM-7', 'crm-8'].map((external_id) => ({ external_id })),
			);
		},
	);
});

describe('an External ID that Argyle changes', () => {
	beforeEach(() => Object.assign(node.service.assumed, { externalIdIsKept: 'in small letters' }));

	it.each(['create', 'upsert'])(
		'makes User %s fail once with both spellings, and no repetition makes another user',
		async (operation) => {
			const run = async (externalId: string) =>
				await failure(
					node.run({ resource: 'user', operation, externalId, additionalFields: { externalId, firstName: 'Alex' } }),
				);
			const first = await run('CRM-7');
			expect(first.message).toBe('Argyle has the External ID CRM-7 as "crm-7" [item 0]');
			const [user] = withId('crm-7');
			expect(first.description).toContain(`The user was created as ${user?.id}: don't create them again.`);
			for (const repeated of ['CRM-7', 'Crm-7 ', 'CRM-7']) {
				const { message, description } = await run(repeated);
				expect(message).toMatch(/^Argyle has the External ID (CRM|Crm)-7 as "crm-7"/);
				expect(description).toContain(`User ${user?.id} has it.`);
			}
			expect(withId('crm-7')).toHaveLength(1);
			expect((await getUser('crm-7'))[0]?.json.id).toBe(user?.id);
		},
	);

	it('lets nobody be invited a second time, whose invite has made that user', async () => {
		const send = async () => await node.run(inviteParameters('a@x.co', { additionalFields: { externalId: 'CRM-7' } }));
		await send();
		expect((await failure(send())).message).toContain('Argyle has the External ID CRM-7 as "crm-7"');
		expect(withId('crm-7')).toHaveLength(1);
	});
});

it('an External ID that another program has stored with a blank behind it is named, and no second user is made', async () => {
	node.service.assumed.externalIdFilter = 'those whose ID begins with it';
	const [id] = addUsers('crm-7 ');
	const upsert = { resource: 'user', operation: 'upsert', externalId: 'crm-7', additionalFields: {} };
	expect(await failure(node.run(upsert))).toMatchObject({
		message: 'Argyle has the External ID crm-7 as "crm-7 " [item 0]',
		description: expect.stringContaining(`User ${id} has it.`),
	});
	expect(node.writes()).toEqual([]);
});
