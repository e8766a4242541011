import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type INodeParameters, type INodeProperties, NodeHelpers } from 'n8n-workflow';
import { ArgyleApi } from '../../credentials/ArgyleApi.credentials';
import { Argyle } from '../../nodes/Argyle/Argyle.node';
import { ArgyleTrigger } from '../../nodes/Argyle/ArgyleTrigger.node';
import { root } from '../support/paths.mts';

const findProperty = (name: string, list: INodeProperties[]) => list.find((property) => property.name === name);

it('the Argyle node is a tool, too', () =>
	expect(new Argyle().description).toMatchObject({ displayName: 'Argyle', usableAsTool: true }));

const valuesIn = (list: INodeProperties[]): INodeProperties[] =>
	list
		.filter(({ type, name }) => type !== 'notice' && name !== 'resource' && name !== 'operation')
		.flatMap((property) =>
			property.type === 'collection'
				? valuesIn((property.options ?? []).filter((option) => 'type' in option))
				: [property],
		);

it.each([
	['Argyle', new Argyle().description.properties],
	['Argyle Trigger', new ArgyleTrigger().description.properties],
	['Argyle credential', new ArgyleApi().properties],
])('%s describes each of its parameters', (_, list) => {
	const values = valuesIn(list);
	expect(values.length).toBeGreaterThan(3);
	expect(values.filter(({ description = '' }) => description === '').map(({ name }) => name)).toEqual([]);
});

const describedChoices = (list: INodeProperties[]): Array<{ name: string; description: string }> =>
	list.flatMap(({ options = [] }) =>
		options.flatMap((option) => {
			if ('values' in option) return describedChoices(option.values);
			if ('type' in option) return describedChoices([option]);
			return [{ name: option.name, description: option.description ?? '' }];
		}),
	);

it.each([new Argyle().description, new ArgyleTrigger().description])(
	'n8n cuts off nothing that $displayName says of a choice: it shows two lines',
	({ properties }) => {
		const choices = describedChoices(properties);
		expect(choices.length).toBeGreaterThan(50);
		expect(choices.filter(({ description }) => description.length > 110)).toEqual([]);
	},
);

describe('an option of on or off', () => {
	const nodes = [new Argyle().description, new ArgyleTrigger().description];
	const options = nodes
		.flatMap(({ properties }) => properties.filter(({ type }) => type === 'collection'))
		.flatMap((collection) => collection.options ?? [])
		.flatMap((option) => ('type' in option && option.type === 'boolean' ? [option] : []));

	it('is on when it is added, unless it shows what could hurt a person', () => {
		const off = options.filter((option) => option.default !== true).map(({ name }) => name);
		expect(options.length).toBeGreaterThan(10);
		expect([...new Set(off)].sort()).toEqual(['includeSecret', 'includeSensitive']);
	});

	it('is saved by n8n as it was added, and n8n adds none by itself', () => {
		const { properties } = new ArgyleTrigger().description;
		const valuesOf = (parameters: INodeParameters, withDefaults: boolean) =>
			NodeHelpers.getNodeParameters(properties, parameters, withDefaults, false, null, null);
		const options = { includeUser: true };
		expect(valuesOf({ options }, false)).toEqual({ options });
		expect(valuesOf({}, true)?.options).toEqual({});
	});
});

describe('ArgyleTrigger', () => {
	const { description } = new ArgyleTrigger();

	it('Argyle Trigger has no input, and is of the version that the watch needs', () =>
		expect(description).toMatchObject({ displayName: 'Argyle Trigger', version: 2, inputs: [] }));

	it("Argyle Trigger has Items to which n8n's editor can add", () => {
		const items = findProperty('items', description.properties);
		expect(items).toMatchObject({ type: 'resourceLocator', default: undefined, required: false });
		expect(items?.typeOptions?.multipleValues).toBe(true);
	});

	it('Argyle Trigger says which way needs a public address where one chooses it', () => {
		const ways = findProperty('receiveBy', description.properties)?.options ?? [];
		const shown = ways.map((way) => ('description' in way ? way.description : ''));
		expect(shown).toEqual(ways.map(() => expect.stringContaining('public')));
	});

	it('Argyle Trigger says of which changes Checking for Events learns, when Webhook brings others', () => {
		const [, checked] = description.properties.filter(({ name }) => name === 'events');
		const texts = (checked?.options ?? []).flatMap((option) => ('description' in option ? [option.description] : []));
		expect(texts).toEqual(
			expect.arrayContaining([
				expect.stringMatching(/^A verification was completed or cancelled\. /),
				expect.stringMatching(/^A report was made, or could not be made\. /),
			]),
		);
	});

	it('Argyle Trigger has one webhook, which answers once the execution is stored', () => {
		expect(description.webhooks).toMatchObject([
			{ name: 'default', path: 'webhook', responseMode: 'onReceived', responseData: '' },
		]);
	});
});

describe('ArgyleApi', () => {
	const credential = new ArgyleApi();

	it('Argyle credential has its name, and hides the secret', () => {
		expect(credential.name).toBe('argyleApi');
		expect(findProperty('baseUrl', credential.properties)?.displayOptions?.show).toEqual({ environment: ['custom'] });
		expect(findProperty('apiKeySecret', credential.properties)?.typeOptions?.password).toBe(true);
	});
});

it('every icon of the nodes and the credential is a file of the package', () => {
	const icons = [new Argyle().description.icon, new ArgyleTrigger().description.icon].map((icon) => ({
		icon,
		from: join(root, 'nodes', 'Argyle'),
	}));
	for (const { icon, from } of [...icons, { icon: new ArgyleApi().icon, from: join(root, 'credentials') }]) {
		if (typeof icon !== 'object') throw new Error('an icon has no light and dark variant');
		for (const file of [icon.light, icon.dark]) expect(existsSync(join(from, file.replace('file:', '')))).toBe(true);
	}
});
