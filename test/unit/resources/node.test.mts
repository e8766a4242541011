import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { ArgyleApi } from '../../../credentials/ArgyleApi.credentials';
import { Argyle } from '../../../nodes/Argyle/Argyle.node';
import { ArgyleTrigger } from '../../../nodes/Argyle/ArgyleTrigger.node';
import { root } from '../../support/paths.mts';

const { properties } = new Argyle().description;
const shownFor = (resource: string, operation: string) =>
	properties
		.filter(
			({ displayOptions }) =>
				displayOptions?.show?.resource?.includes(resource) && displayOptions.show.operation?.includes(operation),
		)
		.map(({ name }) => name);
const find = (name: string, list: INodeProperties[] = properties) => list.find((property) => property.name === name);

/** The names that saved workflows depend on (the public contract). */
describe('the Argyle node', () => {
	it('has the names of the contract', () => {
		expect(new Argyle().description).toMatchObject({
			name: 'argyle',
			displayName: 'Argyle',
			version: 1,
			usableAsTool: true,
		});
		expect(shownFor('webhook', 'create')).toEqual(['name', 'url', 'events', 'additionalFields', 'options']);
		expect(shownFor('webhook', 'delete')).toEqual(['webhookId']);
		expect(shownFor('webhook', 'get')).toEqual(['webhookId', 'options']);
		expect(shownFor('webhook', 'getAll')).toEqual(['returnAll', 'limit', 'filters', 'options']);
		expect(shownFor('webhook', 'verify')).toEqual(['rawBodyProperty', 'signature', 'secret']);
		expect(shownFor('receipt', 'generate')).toEqual(['userId', 'binaryPropertyName', 'options']);
		expect(shownFor('user', 'get')).toEqual(['userId']);
		expect(shownFor('user', 'getAll')).toEqual(['returnAll', 'limit', 'filters']);
		expect(shownFor('userForm', 'get')).toEqual(['userFormId']);
		expect(shownFor('userForm', 'getAll')).toEqual(['returnAll', 'limit', 'filters']);
		expect(find('additionalFields')?.options?.map(({ name }) => name)).toEqual([
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

	it('has the defaults of the contract', () => {
		expect(find('resource')?.default).toBe('receipt');
		expect(find('limit')?.default).toBe(50);
		expect(find('binaryPropertyName')?.default).toBe('data');
		expect(find('limit')?.displayOptions?.show).toEqual({
			resource: ['user'],
			operation: ['getAll'],
			returnAll: [false],
		});
	});

	it('offers the operations of each resource, the first chosen', () => {
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

describe('the Argyle Trigger', () => {
	const { description } = new ArgyleTrigger();

	it('has the names of the contract', () => {
		expect(description).toMatchObject({ name: 'argyleTrigger', displayName: 'Argyle Trigger', inputs: [] });
		expect(description.version).toBe(2);
		expect(description.properties.map(({ name }) => name)).toEqual(['notice', 'events', 'options']);
		expect(find('options', description.properties)?.options?.map(({ name }) => name)).toEqual([
			'daysSynced',
			'includeResource',
			'items',
			'includeUserForm',
			'onlyFromArgyle',
			'skipDuplicates',
			'subscriptionName',
		]);
	});

	it('is called at one address, and answers when the execution is stored', () => {
		expect(description.webhooks).toEqual([
			{ name: 'default', httpMethod: 'POST', path: 'webhook', responseMode: 'onReceived', responseData: '' },
		]);
	});
});

describe('the credential', () => {
	const credential = new ArgyleApi();

	it('has the names of the contract', () => {
		expect(credential.name).toBe('argyleApi');
		expect(credential.properties.map(({ name }) => name)).toEqual([
			'environment',
			'baseUrl',
			'apiKeyId',
			'apiKeySecret',
		]);
		expect(find('environment', credential.properties)?.default).toBe('sandbox');
		expect(find('baseUrl', credential.properties)?.displayOptions?.show).toEqual({ environment: ['custom'] });
		expect(find('apiKeySecret', credential.properties)?.typeOptions?.password).toBe(true);
	});
});

it('every icon that is named is there', () => {
	const icons = [new Argyle().description.icon, new ArgyleTrigger().description.icon].map((icon) => ({
		icon,
		from: join(root, 'nodes', 'Argyle'),
	}));
	for (const { icon, from } of [...icons, { icon: new ArgyleApi().icon, from: join(root, 'credentials') }]) {
		if (typeof icon !== 'object') throw new Error('an icon has no light and dark variant');
		for (const file of [icon.light, icon.dark]) expect(existsSync(join(from, file.replace('file:', '')))).toBe(true);
	}
});
