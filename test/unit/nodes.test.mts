import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { ArgyleApi } from '../../credentials/ArgyleApi.credentials';
import { Argyle } from '../../nodes/Argyle/Argyle.node';
import { ArgyleTrigger } from '../../nodes/Argyle/ArgyleTrigger.node';
import { root } from '../support/paths.mts';

const { properties } = new Argyle().description;
const fieldsOf = (resource: string, operation: string) =>
	properties
		.filter(
			({ displayOptions }) =>
				displayOptions?.show?.resource?.includes(resource) && displayOptions.show.operation?.includes(operation),
		)
		.map(({ name }) => name);
const findProperty = (name: string, list: INodeProperties[] = properties) =>
	list.find((property) => property.name === name);

describe('Argyle', () => {
	it('Argyle node keeps the names that saved workflows depend on', () => {
		expect(new Argyle().description).toMatchObject({
			name: 'argyle',
			displayName: 'Argyle',
			version: 1,
			usableAsTool: true,
		});
		expect(fieldsOf('webhook', 'create')).toEqual(['name', 'url', 'events', 'additionalFields', 'options']);
		expect(fieldsOf('webhook', 'delete')).toEqual(['webhookId']);
		expect(fieldsOf('webhook', 'get')).toEqual(['webhookId', 'options']);
		expect(fieldsOf('webhook', 'getAll')).toEqual(['returnAll', 'limit', 'filters', 'options']);
		expect(fieldsOf('webhook', 'verify')).toEqual(['rawBodyProperty', 'signature', 'secret']);
		expect(fieldsOf('receipt', 'generate')).toEqual(['userId', 'binaryPropertyName', 'options']);
		expect(fieldsOf('user', 'get')).toEqual(['userId']);
		expect(fieldsOf('user', 'getAll')).toEqual(['returnAll', 'limit', 'filters']);
		expect(fieldsOf('userForm', 'get')).toEqual(['userFormId']);
		expect(fieldsOf('userForm', 'getAll')).toEqual(['returnAll', 'limit', 'filters']);
		expect(findProperty('additionalFields')?.options?.map(({ name }) => name)).toEqual([
			'daysSynced',
			'includeResource',
			'items',
			'secret',
		]);
		const filters = properties
			.filter(({ name }) => name === 'filters')
			.map(({ displayOptions, options }) => [displayOptions?.show?.resource?.[0], options?.map(({ name }) => name)]);
		expect(filters).toEqual([
			['user', ['externalId']],
			['userForm', ['account', 'user']],
			['webhook', ['createdAfter', 'createdBefore', 'ordering']],
		]);
	});

	it('Argyle node keeps the defaults that saved workflows depend on', () => {
		expect(findProperty('resource')?.default).toBe('receipt');
		expect(findProperty('limit')?.default).toBe(50);
		expect(findProperty('binaryPropertyName')?.default).toBe('data');
		expect(findProperty('limit')?.displayOptions?.show).toEqual({
			resource: ['user'],
			operation: ['getAll'],
			returnAll: [false],
		});
	});

	it('Argyle node offers the operations of each resource and defaults to the first', () => {
		const choosers = properties.filter(({ name }) => name === 'operation');
		expect(choosers.map(({ displayOptions, default: chosen }) => [displayOptions?.show?.resource, chosen])).toEqual([
			[['receipt'], 'generate'],
			[['user'], 'get'],
			[['userForm'], 'get'],
			[['webhook'], 'create'],
		]);
		const actions = choosers.flatMap(({ options = [] }) =>
			options.map((option) => ('action' in option ? option.action : '')),
		);
		expect(actions).toEqual([
			'Generate a receipt',
			'Get a user',
			'Get many users',
			'Get a user form',
			'Get many user forms',
			'Create a webhook subscription',
			'Delete a webhook subscription',
			'Get a webhook subscription',
			'Get many webhook subscriptions',
			'Verify a webhook delivery',
		]);
	});
});

describe('ArgyleTrigger', () => {
	const { description } = new ArgyleTrigger();

	it('Argyle Trigger keeps the names that saved workflows depend on', () => {
		expect(description).toMatchObject({ name: 'argyleTrigger', displayName: 'Argyle Trigger', inputs: [] });
		expect(description.version).toBe(2);
		expect(description.properties.map(({ name }) => name)).toEqual(['notice', 'events', 'options']);
		expect(findProperty('options', description.properties)?.options?.map(({ name }) => name)).toEqual([
			'catchUp',
			'daysSynced',
			'includeResource',
			'items',
			'includeUserForm',
			'onlyFromArgyle',
			'skipDuplicates',
			'subscriptionName',
		]);
	});

	it('Argyle Trigger has one webhook, which answers once the execution is stored', () => {
		expect(description.webhooks).toEqual([
			{ name: 'default', httpMethod: 'POST', path: 'webhook', responseMode: 'onReceived', responseData: '' },
		]);
	});
});

describe('ArgyleApi', () => {
	const credential = new ArgyleApi();

	it('Argyle credential keeps the names that saved workflows depend on', () => {
		expect(credential.name).toBe('argyleApi');
		expect(credential.properties.map(({ name }) => name)).toEqual([
			'environment',
			'baseUrl',
			'apiKeyId',
			'apiKeySecret',
		]);
		expect(findProperty('environment', credential.properties)?.default).toBe('sandbox');
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
