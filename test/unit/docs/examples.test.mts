import { runInNewContext } from 'node:vm';
import { DateTime } from 'luxon';
import { isJson, type Json } from '../../support/json.mts';
import { readExamples } from '../../support/n8n/example.mts';
import { textOfFile } from '../../support/paths.mts';

const list = textOfFile('examples/README.md');

it.each(readExamples())('example $file is listed, and has no credentials', ({ file, name, nodes }) => {
	expect(list).toContain(`| [${file}](${file}) |`);
	expect(name).toMatch(/^Argyle: /);
	expect(nodes.filter((node) => 'credentials' in node || 'webhookId' in node)).toEqual([]);
});

it.each(readExamples())(
	'example $file has a sample for its Argyle Trigger, and samples say that they are',
	(example) => {
		const { nodes, pinData } = example;
		const triggers = nodes.filter(({ type }) => type === 'n8n-nodes-argyle.argyleTrigger');
		expect(Object.keys(pinData)).toEqual(expect.arrayContaining(triggers.map(({ name }) => name)));
		for (const sample of Object.values(pinData).map((items) => JSON.stringify(items))) {
			expect(sample).toMatch(/SAMPLE – not|Sample Bakery/);
			const ids = sample.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
			expect(ids.filter((id) => !id.startsWith('00000000-0000-4000-8000-'))).toEqual([]);
		}
	},
);

/** Whether a node writes to an address that comes from an item, which may be anybody's. */
function writesToPeople({ type, parameters }: Json): boolean {
	const { resource, operation, toEmail } = isJson(parameters) ? parameters : {};
	if (type === 'n8n-nodes-base.emailSend') return String(toEmail).startsWith('=');
	return ['invite send', 'invite resend', 'session sendInvite'].includes(`${String(resource)} ${String(operation)}`);
}

const WRITERS = readExamples().filter(({ nodes }) => nodes.some(writesToPeople));

it('the examples that write to people are known', () => {
	expect(WRITERS.map(({ file }) => file)).toEqual([
		'erase-on-request.json',
		'form-to-invites-in-table.json',
		'form-to-new-invite.json',
		'reconnect-lost-connections.json',
		'remind-invites.json',
		'sheet-to-invites.json',
		'verify-again-each-quarter.json',
	]);
});

it.each(WRITERS)(
	'example $file has no sample behind its trigger, whose made-up words a person could get',
	(example) => {
		const { nodes, pinData } = example;
		const triggers = nodes.filter(({ type }) => type === 'n8n-nodes-argyle.argyleTrigger').map(({ name }) => name);
		expect(Object.keys(pinData)).toEqual(triggers);
	},
);

it.each(readExamples())('example $file does not take the first event of an execution for the only one', ({ nodes }) => {
	const triggers = nodes.filter(({ type }) => type === 'n8n-nodes-argyle.argyleTrigger').map(({ name }) => name);
	const parameters = JSON.stringify(nodes.map((node) => node.parameters));
	expect(triggers.filter((name) => parameters.includes(`$('${String(name)}').first()`))).toEqual([]);
});

it.each(readExamples())('$file leaves it to n8n to make a path for its webhooks that nobody can guess', ({ nodes }) => {
	for (const { webhookId, parameters } of nodes)
		expect([webhookId, isJson(parameters) && parameters.path]).toEqual([undefined, undefined]);
});

const SHEET_WRITERS = readExamples().flatMap(({ file, nodes }) =>
	nodes
		.filter(({ type }) => type === 'n8n-nodes-base.googleSheets')
		.flatMap(({ name, parameters }) => (isJson(parameters) ? [{ file, name, ...parameters }] : []))
		.filter((node: Json) => node.operation !== 'read'),
);

it.each(SHEET_WRITERS)('what $name of $file writes into a sheet is never taken for a formula', ({ options }: Json) => {
	expect(options).toMatchObject({ cellFormat: 'RAW' });
});

it('form-to-slack.json mentions nobody and hides no link, whatever the name of the person', () => {
	const { nodes = [] } = readExamples().find(({ file }) => file === 'form-to-slack.json') ?? {};
	const { parameters } = nodes.find(({ name }) => name === 'Tell the Channel') ?? {};
	const written = '<!channel> <https://example.com|Log in>';
	const user = { first_name: written, last_name: written, email: written, external_id: written };
	const userForm = { data: { income_source: written, payroll_provider: written } };
	const $json = { user, userForm, userError: written, userFormError: written, data: {} };
	const saved = isJson(parameters) ? String(parameters.text) : '';
	const text = saved.replace(/{{(.*?)}}/g, (_, expression: string) => String(runInNewContext(expression, { $json })));
	expect(text.match(/!channel/g)).toHaveLength(8);
	expect(text).not.toMatch(/[<>]/);
});

function nodeOf(file: string, name: string): { type: unknown; parameters: string } {
	const nodes = readExamples().find((example) => example.file === file)?.nodes ?? [];
	const node = nodes.find((each) => each.name === name);
	return { type: node?.type, parameters: JSON.stringify(node?.parameters) };
}

it('verify-again-each-quarter.json orders anew only for whom Argyle did not accept the refresh', () => {
	const file = 'verify-again-each-quarter.json';
	const connections = readExamples().find((example) => example.file === file)?.connections;
	const to = (node: string, index = 0) => [{ node, type: 'main', index }];
	expect(connections).toMatchObject({
		Refresh: { main: [[], to('Refused by Argyle?')] },
		'Refused by Argyle?': { main: [to('Person'), to('All That Failed', 3)] },
	});
	const { type, parameters } = nodeOf(file, 'Refused by Argyle?');
	expect(type).toBe('n8n-nodes-base.if');
	expect(parameters).toMatch(/"={{ \$json\.error }}","rightValue":"Argyle did not accept the request"/);
});

it('sheet-to-invites.json says of nobody that they are invited whose message went to a Test Recipient', () => {
	const { parameters } = nodeOf('sheet-to-invites.json', 'Result');
	expect(parameters).toContain(`"name":"Status","value":"={{ $json.testRecipient ? 'not invited' : `);
});

it('sheet-to-invites.json knows its words however people capitalize them', () => {
	for (const name of ['Not Invited Yet', 'Left Out'])
		expect(nodeOf('sheet-to-invites.json', name).parameters).toContain('"caseSensitive":false');
});

it('no two examples remind people at the same hour, because the second one would not see what the first has just sent', () => {
	const hours = readExamples()
		.filter(({ nodes }) => nodes.some(({ name }) => name === 'Remind'))
		.map(({ file }) => /"triggerAtHour":(\d+)/.exec(nodeOf(file, 'Every Morning').parameters)?.[1]);
	expect(hours).toHaveLength(2);
	expect(new Set(hours).size).toBe(2);
});

it.each([1, 4, 7, 10])(
	'verify-again-each-quarter.json also finds who was left out in one quarter, in month %i',
	(month) => {
		const { parameters } = nodeOf('verify-again-each-quarter.json', 'Last Verifications');
		const [, expression = ''] = /"createdAfter":"={{(.*?)}}"/.exec(parameters) ?? [];
		const $now = DateTime.local(2027, month, 1, 8);
		const since = DateTime.fromISO(String(runInNewContext(expression, { $now })));
		const ordered = (quarters: number) => $now.minus({ months: 3 * quarters }).plus({ seconds: 5 });
		expect([ordered(2) > since, ordered(3) > since]).toEqual([true, false]);
	},
);

const FILTERS = readExamples().flatMap(({ file, nodes }) =>
	nodes
		.filter(({ type }) => /\.(filter|if|switch)$/.test(String(type)))
		.flatMap(({ name, parameters }) => (isJson(parameters) ? [{ file, name, parameters }] : [])),
);

it.each(FILTERS)('$name of $file compares as before after somebody has opened it', ({ parameters }) => {
	// When a person opens the node, n8n's editor derives how its conditions compare from these two settings.
	const { looseTypeValidation, options } = parameters;
	const caseSensitive = !(isJson(options) && options.ignoreCase === true);
	const saved = JSON.stringify(parameters).match(/"caseSensitive":\w+|"typeValidation":"\w+"/g) ?? [];
	const typeValidation = looseTypeValidation === true ? 'loose' : 'strict';
	expect(new Set(saved)).toEqual(new Set([`"caseSensitive":${caseSensitive}`, `"typeValidation":"${typeValidation}"`]));
});
