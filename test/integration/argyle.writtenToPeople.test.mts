import type { IDataObject } from 'n8n-workflow';
import { isDataObject } from '../../nodes/Argyle/utils/json';
import { byId, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';

const node = useNodeFixture({ requestsPerSecond: 5_000 });

type Given = [given: unknown, sent?: string];

const refusedTexts = (...texts: string[]): Given[] => texts.map((text) => [text]);

const NAMES: Given[] = [
	...([
		['Ann', 'Ann'],
		['Null', 'Null'],
		['Na', 'Na'],
		['O’Neill-Größe', 'O’Neill-Größe'],
		['李', '李'],
	] as Given[]),
	...([
		['Ann\nMarie', 'Ann Marie'],
		['\u202eAnn', 'Ann'],
		['An\u200bn', 'Ann'],
		['Ju\u0308rgen', 'Jürgen'],
	] as Given[]),
	...([
		['علی\u200cرضا', 'علی\u200cرضا'],
		['Ann\tMarie', 'Ann Marie'],
		[' \u2067Ann\u2069 ', 'Ann'],
	] as Given[]),
	...refusedTexts('#N/A', '#REF!', '#NAME?', '#NV', '#WERT!', '#¿NOMBRE?', '#VALEUR!', '########', 'Err:508'),
	...refusedTexts('Loading...', 'Wird geladen...', '=VLOOKUP(A2,B:C,2)', '=A2', '-', '—', '?', '...', 'N/A', 'n/a'),
	...refusedTexts('NULL', 'null', 'undefined', 'NaN', 'TBD', '[object Object]', 'undefined Sample'),
	...refusedTexts('\u200b', '\u202e', '\u3164', '\u2800', ' \n '),
	...[true, {}, ['Ann'], NaN].map((value): Given => [value]),
];

const ADDRESSES: Given[] = [
	...([
		['ann@example.com', 'ann@example.com'],
		['Ann <ann@example.com>', 'ann@example.com'],
	] as Given[]),
	...([
		["o'neill+x@mail.example.co", "o'neill+x@mail.example.co"],
		['mailto:ann@example.com', 'ann@example.com'],
	] as Given[]),
	...([
		['\u200bann@example.com', 'ann@example.com'],
		['jürgen@exämple.de', 'jürgen@exämple.de'],
	] as Given[]),
	...([
		['ann@ex-ample.com', 'ann@ex-ample.com'],
		['a-.b@example.com', 'a-.b@example.com'],
	] as Given[]),
	...refusedTexts('#N/A', '#REF!', 'Loading...', '=A2', '-', 'n/a', 'null', 'undefined', 'ann', 'ann@example'),
	...refusedTexts('ann@example..com', '.ann@example.com', 'ann.@example.com', 'ann..b@example.com', 'ann@.example.com'),
	...refusedTexts('ann@-example.com', 'ann@example-.com', 'ann@example.com-', 'ann@[127.0.0.1]', 'ann@example.c'),
	...refusedTexts('a@x.com; b@x.com', 'a@x.com b@x.com', 'ann@example.com\nBcc: b@x.com', '@example.com', 'ann@@x.com'),
	...refusedTexts('<>', '.', 'mailto:', '\u200b', 'ann at example.com'),
	...[7, true, {}, ['ann@example.com', 'b@x.com']].map((value): Given => [value]),
];

const NUMBERS: Given[] = [
	...([
		['+12125550123', '+12125550123'],
		['(212) 555-0123', '+12125550123'],
		[2125550123, '+12125550123'],
	] as Given[]),
	...([
		['tel:+49 (0)170 1234567', '+491701234567'],
		['0044 20 7946 0123', '+442079460123'],
	] as Given[]),
	...([
		['212.555.0123', '+12125550123'],
		['\u202a+12125550123\u202c', '+12125550123'],
	] as Given[]),
	...refusedTexts('+491701234567.0', '2125550123.0', '+12125550123.0', '4.479E+11', '4,479E+11', '1E+10', '4479E+8'),
	...refusedTexts('#N/A', '#REF!', '#NV', 'Loading...', '=A2', '-', 'n/a', 'null', 'undefined', '0', '000', '123'),
	...refusedTexts('212-555-012', '01701234567', '2125550123 2125550124', '+1 212 555 0123 x5', '+12125550123456789'),
	...refusedTexts('call me', '\u200b', '+', '++12125550123', '+1', '0012'),
	...[2.125550123e20, 2125550123.5, true, {}, [2125550123, 2125550124]].map((value): Given => [value]),
];

it('each table has forty values or more', () =>
	expect([NAMES, ADDRESSES, NUMBERS].every(({ length }) => length >= 40)).toBe(true));

const PERSON = { firstName: 'Bo', lastName: 'Sample', email: '={{ $json.mail }}', phoneNumber: '={{ $json.number }}' };

interface Step {
	title: string;
	parameters: (person: object) => object;
	/** Whether the step takes it as it is if it is empty, or no number. */
	isLenient?: boolean;
}

const message = (operation: object, person: object) => ({
	...operation,
	...person,
	sendBy: 'both',
	additionalFields: {},
});

const MESSAGES: Step[] = [
	{
		title: 'Invite: Send',
		parameters: (person) => message({ resource: 'invite', operation: 'send', skipInvited: 'none' }, person),
	},
	{
		title: 'Session: Send Invite',
		parameters: (person) =>
			message({ resource: 'session', operation: 'sendInvite', userId: byId(node.userId()) }, person),
	},
];

const USERS: Step[] = [
	{
		title: 'User: Create',
		isLenient: true,
		parameters: (additionalFields) => ({ resource: 'user', operation: 'create', additionalFields }),
	},
	{
		title: 'User: Update',
		isLenient: true,
		parameters: (updateFields) => ({
			...{ resource: 'user', operation: 'update', userId: byId(node.userId()), updateFields },
		}),
	},
];

const TABLES: Array<[what: string, field: string, key: string, table: Given[], steps: Step[]]> = [
	['first name', 'firstName', 'first_name', NAMES, [...MESSAGES.slice(0, 1), ...USERS]],
	['last name', 'lastName', 'last_name', NAMES, [...MESSAGES.slice(0, 1), ...USERS]],
	['e-mail address', 'email', 'email', ADDRESSES, [...MESSAGES, ...USERS]],
	// Argyle decides about the number of a user to whom nobody writes.
	['number', 'phoneNumber', 'phone_number', NUMBERS, MESSAGES],
];

const rows = TABLES.flatMap(([what, field, key, table, steps]) =>
	steps.map((step) => ({ ...step, what, field, key, table })),
);

/** What Argyle was sent under this name, in a body or in its part. */
const sent = (key: string) =>
	node.service.requests.flatMap(({ method, body }) => {
		if (!isDataObject(body) || !['POST', 'PATCH'].includes(method)) return [];
		return [isDataObject(body.configuration) ? body.configuration[key] : body[key]].filter(Boolean);
	});

it.each(rows)(
	'$title takes a $what as a person would write it, or refuses it before a request',
	async ({ parameters, field, key, table, isLenient = false }) => {
		for (const [index, [given, expected]] of table.entries()) {
			node.service.requests.length = 0;
			const json = { given, mail: `bo${index}@example.com`, number: `+1212555${1000 + index}` } as IDataObject;
			const saved = parameters({ ...PERSON, [field]: '={{ $json.given }}' });
			const [item] = await node.run(saved, { items: [{ json }], continueOnFail: true });
			const { error } = item?.json ?? {};
			if (expected !== undefined) expect([given, sent(key)]).toEqual([given, [expected]]);
			else if (isLenient && error === undefined) expect([given, sent(key)]).toEqual([given, []]);
			else expect([given, error, node.service.requests]).toEqual([given, expect.any(String), []]);
		}
	},
);

it('Invite: Get Many refuses a filter Email of which no address is left, because it would find invites without one', async () => {
	const list = { resource: 'invite', operation: 'getAll', returnAll: true, filters: { email: '={{ $json.email }}' } };
	const items = ['.', '<>', '()', 'mailto:', '\u200b'].map((email) => ({ json: { email } }));
	const output = await node.run(list, { items, continueOnFail: true });
	expect(output.map(({ json }) => json.error)).toEqual(
		items.map((_, index) => `The filter Email is missing [item ${index}]`),
	);
	expect(node.service.requests).toEqual([]);
});
