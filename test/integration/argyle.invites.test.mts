import { NodeOperationError } from 'n8n-workflow';
import { SIDES } from '../support/fakeArgyle/assumed.mts';
import { failure } from '../support/n8nCore/n8nContext.mts';
import { byId, inviteParameters, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 1_000 });

const run = async (operation: string, parameters: object) =>
	await node.run({ resource: 'invite', operation, ...parameters });

const sendInvite = async (more: object) =>
	await node.run(inviteParameters('alex@example.com', { skipInvited: 'none', ...more }));

const send = async (more: object = {}) => {
	const [item] = await sendInvite(more);
	return String(item?.json.id);
};

describe('Invite Send', () => {
	const names = { first_name: 'Alex', last_name: 'Sample' };
	const email = 'alex@example.com';

	it.each<[string, object, object]>([
		['by e-mail', {}, { ...names, email }],
		[
			'by SMS, whatever is left in the hidden field',
			{ sendBy: 'sms', phoneNumber: ' (212) 555-0123 ' },
			{ ...names, phone_number: '+12125550123' },
		],
		['by both', { sendBy: 'both', phoneNumber: '+12125550123' }, { ...names, email, phone_number: '+12125550123' }],
		[
			'with all additional fields',
			{
				additionalFields: {
					externalId: 4711,
					templateId: '8ABCD1EF',
					employers: ['item_000000001', 'item_000000002'],
					notify: 'team@example.com; mailto:boss@example.com',
				},
			},
			{
				...names,
				email,
				external_id: '4711',
				flow_id: '8ABCD1EF',
				flow_items: ['item_000000001', 'item_000000002'],
				override_invite_template: { email: { reply_to: ['team@example.com', 'boss@example.com'] } },
			},
		],
		[
			'without the additional fields that are empty',
			{ additionalFields: { externalId: '={{ $json.none }}', templateId: '', employers: [], notify: '={{ null }}' } },
			{ ...names, email },
		],
		[
			'to the employer that a text names',
			{ additionalFields: { employers: 'item_000000001' } },
			{ ...names, email, flow_items: ['item_000000001'] },
		],
	])('Invite Send %s sends exactly what was entered', async (_, parameters, body) => {
		const [item] = await sendInvite(parameters);
		expect(node.writes()).toEqual([{ method: 'POST', path: '/v2/invites', body }]);
		expect(item?.json).toMatchObject({ status: 'sent', has_user_token: true, url: expect.stringMatching(/^https:/) });
		expect(item?.json.user).toEqual(expect.any(String));
		expect(item?.json).not.toHaveProperty('user_token');
		expect(item?.pairedItem).toEqual({ item: 0 });
	});

	it.each<[object, string]>([
		[{ firstName: ' ' }, 'First Name is missing'],
		[{ lastName: '={{ $json.unknown }}' }, 'Last Name is missing'],
		[{ email: '' }, 'Email is missing'],
		[{ sendBy: 'sms', phoneNumber: '' }, 'Phone Number is missing'],
		[{ sendBy: '={{ "letter" }}' }, 'Send By is neither Email, SMS nor Both'],
		[{ additionalFields: { templateId: 'item_000000001' } }, 'Template ID is the ID of an Item'],
		[
			{ additionalFields: { employers: ['Whole Goods'] } },
			'Employers has an entry that is not the ID of an Item: Whole Goods',
		],
		[{ additionalFields: { externalId: '={{ [1] }}' } }, 'External ID is no text'],
		[{ email: 'a@example.com; b@example.com' }, 'Email is not an e-mail address'],
		[{ sendBy: 'sms', phoneNumber: '0170 1234567' }, 'Phone Number is not a phone number'],
		[{ additionalFields: { notify: 'the team' } }, 'Notify is not an e-mail address'],
	])('Invite Send with %j is refused before anything is sent', async (parameters, message) => {
		const error = await failure(sendInvite(parameters));
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error.message).toContain(message);
		expect(error.description).toContain('Nothing was sent to Argyle.');
		expect(node.service.requests).toHaveLength(0);
	});
});

describe.each(SIDES)('Invite operations, Argyle %s', (_, assumed) => {
	beforeEach(() => Object.assign(node.service.assumed, assumed));

	it('Invite Get outputs the invite that was sent, as far as the person has come, without the token', async () => {
		const id = await send();
		node.service.person(id).open();
		const [item] = await run('get', { inviteId: byId(id), simplify: false });
		expect(item?.json).toMatchObject({ id, status: 'initiated', email: 'alex@example.com', has_user_token: true });
		expect(JSON.stringify(item)).not.toContain('made-up-signature');
	});

	it('Invite Resend sends one more message by the same way, and no body', async () => {
		const id = await send();
		const [item] = await run('resend', { inviteId: byId(id) });
		expect(item?.json).toMatchObject({ id, status: 'sent', has_user_token: true });
		expect(node.writes()[1]).toEqual({ method: 'POST', path: `/v2/invites/${id}`, body: undefined });
		expect(node.service.messagesTo('alex@example.com')).toBe(2);
	});

	it('Invite Revoke closes the link, and outputs the invite as revoked', async () => {
		const id = await send();
		const [item] = await run('revoke', { inviteId: byId(id) });
		expect(item?.json).toMatchObject({ id, status: 'revoked', revoked_at: expect.any(String) });
		expect(node.writes()[1]).toEqual({ method: 'POST', path: `/v2/invites/${id}/revoke`, body: undefined });
		expect(node.service.person(id).open()).toBe(false);
		expect(node.service.messages).toHaveLength(1);
	});
});

it("Invite Resend of a revoked invite passes Argyle's words on", async () => {
	const id = await send();
	await run('revoke', { inviteId: byId(id) });
	const error = await failure(run('resend', { inviteId: byId(id) }));
	expect(error.description).toContain('Argyle says: This invite was revoked.');
});

describe('Invite Get Many', () => {
	const getAll = async (filters: object, more: object = {}) =>
		(await run('getAll', { returnAll: true, filters, ...more })).map(({ json }) => json);

	it('Invite Get Many asks Argyle for several states at once', async () => {
		const [first, second] = [await send(), await send()];
		await send();
		node.service.person(first).open();
		await run('revoke', { inviteId: byId(second) });
		const found = await getAll({ status: ['initiated', 'revoked'] }, { simplify: false });
		expect(found.map(({ id }) => id).sort()).toEqual([first, second].sort());
		expect(node.service.requests.at(-1)?.query).toContain(`status=${encodeURIComponent('initiated,revoked')}`);
		expect(found.every((invite) => invite.has_user_token === false && !('user_token' in invite))).toBe(true);
	});

	it('Invite Get Many filters by what Argyle cannot filter by: e-mail, user and time', async () => {
		const old = await send({ email: 'Bea@example.com' });
		const invite = node.service.invites.get(old);
		if (invite === undefined) throw new Error('there is no invite');
		invite.invited_at = '2026-01-02T00:00:00.000Z';
		await send();
		for (const email of ['bea@example.com', 'Bea <bea@example.com>'])
			expect((await getAll({ email })).map(({ id }) => id)).toEqual([old]);
		expect((await getAll({ user: byId(String(invite.user)) })).map(({ id }) => id)).toEqual([old]);
		expect((await getAll({ invitedBefore: '2026-01-03' })).map(({ id }) => id)).toEqual([old]);
		expect((await getAll({ invitedAfter: '2026-01-03' })).map(({ email }) => email)).toEqual(['alex@example.com']);
		expect(await getAll({ email: 'nobody@example.com' })).toEqual([]);
	});

	it('Invite Get and Get Many put out ten fields, unless Simplify is off', async () => {
		const id = await send();
		const ten = ['id', 'user', 'status', 'first_name', 'last_name', 'email', 'phone_number', 'url', 'invited_at'];
		const [one] = await run('get', { inviteId: byId(id) });
		const [listed] = await getAll({});
		for (const invite of [one?.json, listed])
			expect(Object.keys(invite ?? {}).sort()).toEqual([...ten, 'deliveries'].sort());
		expect((await getAll({}, { simplify: false }))[0]).toMatchObject({ full_name: 'Alex Sample', revoked_at: null });
	});

	it('Invite Get Many puts out as many as Limit says', async () => {
		for (const email of ['a@example.com', 'b@example.com']) await send({ email });
		expect(await getAll({}, { returnAll: false, limit: 1 })).toHaveLength(1);
	});

	it.each<[object, string]>([
		[{ status: '={{ ["opened"] }}' }, 'There is no status "opened" of invites'],
		[{ invitedAfter: 'last week' }, 'Invited After is not a date'],
		[{ user: byId('Bob') }, 'User is not a valid ID'],
	])('Invite Get Many with the filter %j is refused', async (filters, message) => {
		expect(await node.refusalOf(run('getAll', { returnAll: true, filters }))).toContain(message);
	});
});

describe('the list of invites', () => {
	it('shows name, addresses, state and time, and no token', async () => {
		const id = await send({ sendBy: 'both', phoneNumber: '+12125550123' });
		const { results } = await node.search('searchInvites');
		expect(results).toEqual([
			{
				name: expect.stringMatching(
					/^Alex Sample · alex@example\.com · \+12125550123 · sent · \d{4}-\d\d-\d\d \d\d:\d\d$/,
				),
				value: id,
			},
		]);
	});

	it('finds an invite by a part of its name, by its state and by its ID', async () => {
		const id = await send();
		await send({ firstName: 'Bea', lastName: 'Other', email: 'bea@example.com' });
		for (const text of ['sampl', 'alex@', id]) {
			const { results } = await node.search('searchInvites', text);
			expect(results.map(({ value }) => value)).toEqual([id]);
		}
		expect((await node.search('searchInvites', 'sent')).results).toHaveLength(2);
		expect((await node.search('searchInvites', 'nobody')).results).toEqual([]);
	});
});
