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
const additionalFieldsOf = (resource: string, operation: string) =>
	properties
		.find(
			({ name, displayOptions: { show = {} } = {} }) =>
				name === 'additionalFields' && show.resource?.includes(resource) && show.operation?.includes(operation),
		)
		?.options?.map(({ name }) => name);
const filtersOf = (resource: string) =>
	properties
		.find(({ name, displayOptions }) => name === 'filters' && displayOptions?.show?.resource?.includes(resource))
		?.options?.map(({ name }) => name);
const findProperty = (name: string, list: INodeProperties[] = properties) =>
	list.find((property) => property.name === name);

/** In the order of their titles. */
const USER_FIELDS = [
	...['address', 'birthDate', 'email', 'externalId', 'firstName', 'lastName', 'metadata', 'phoneNumber', 'ssn'],
];

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
		expect(fieldsOf('webhook', 'verify')).toEqual(['rawBodyProperty', 'signature', 'webhookUrl', 'secret']);
		const address = ['sendBy', 'email', 'phoneNumber'];
		expect(fieldsOf('invite', 'send')).toEqual(['firstName', 'lastName', ...address, 'additionalFields']);
		expect(fieldsOf('invite', 'resend')).toEqual(['inviteId']);
		expect(fieldsOf('invite', 'revoke')).toEqual(['inviteId']);
		expect(fieldsOf('invite', 'get')).toEqual(['inviteId', 'simplify']);
		expect(fieldsOf('invite', 'getAll')).toEqual(['returnAll', 'limit', 'filters', 'simplify']);
		expect(filtersOf('invite')).toEqual([
			'createdAfter',
			'email',
			'invitedAfter',
			'invitedBefore',
			'status',
			'updatedAfter',
			'user',
		]);
		expect(additionalFieldsOf('invite', 'send')).toEqual(['employers', 'externalId', 'notify', 'templateId']);
		expect(fieldsOf('employer', 'search')).toEqual(['searchText', 'returnAll', 'limit', 'filters']);
		expect(fieldsOf('employer', 'get')).toEqual(['employerId']);
		expect(filtersOf('employer')).toEqual(['kind', 'mappingStatus', 'status']);
		expect(fieldsOf('user', 'create')).toEqual(['additionalFields']);
		expect(additionalFieldsOf('user', 'create')).toEqual(USER_FIELDS);
		expect(fieldsOf('user', 'update')).toEqual(['userId', 'updateFields']);
		expect(findProperty('updateFields')?.options?.map(({ name }) => name)).toEqual(USER_FIELDS);
		expect(fieldsOf('user', 'delete')).toEqual(['userId', 'confirmDeletion']);
		expect(fieldsOf('account', 'disableRefresh')).toEqual(['accountId']);
		expect(fieldsOf('account', 'simulateNewData')).toEqual(['accountId']);
		expect(fieldsOf('account', 'delete')).toEqual(['accountId', 'confirmDeletion']);
		expect(fieldsOf('report', 'generate')).toEqual(['reportType', 'userId', 'additionalFields', 'options']);
		expect(additionalFieldsOf('report', 'generate')).toEqual(['metadata']);
		expect(fieldsOf('report', 'delete')).toEqual(['reportId']);
		expect(fieldsOf('userUpload', 'upload')).toEqual(['userId', 'documentType', 'binaryPropertyName']);
		expect(fieldsOf('session', 'createLink')).toEqual(['verificationId', 'additionalFields']);
		expect(fieldsOf('session', 'sendInvite')).toEqual(['userId', ...address, 'additionalFields']);
		const order = ['userId', 'reportType', 'employments', 'additionalFields'];
		expect(fieldsOf('verification', 'order')).toEqual(order);
		expect(fieldsOf('verification', 'refresh')).toEqual(['userId', 'reportType', 'additionalFields']);
		expect(fieldsOf('verification', 'update')).toEqual(['verificationId', 'updateFields']);
		expect(fieldsOf('verification', 'cancel')).toEqual(['verificationId']);
		expect(fieldsOf('event', 'getRecords')).toEqual(['returnAll', 'limit', 'simplify', 'options']);
		expect(fieldsOf('receipt', 'generate')).toEqual(['userId', 'binaryPropertyName', 'options']);
		expect(additionalFieldsOf('webhook', 'create')).toEqual(['daysSynced', 'includeResource', 'items', 'secret']);
		expect(filtersOf('webhook')).toEqual(['createdAfter', 'createdBefore', 'ordering']);
	});

	/** A resource, what identifies one of its records, its filters, and whether its records are simplified. */
	const RECORDS: Array<[resource: string, id: string | undefined, filters: string[], isSimplified: boolean]> = [
		['user', 'userId', ['createdAfter', 'externalId'], true],
		['userForm', 'userFormId', ['account', 'createdAfter', 'createdBefore', 'user'], false],
		['account', 'accountId', ['createdAfter', 'item', 'ongoingRefreshStatus', 'updatedAfter', 'user'], true],
		['identity', 'identityId', ['account', 'employment', 'user'], true],
		['employment', undefined, ['account', 'user'], false],
		['paystub', 'paystubId', ['account', 'employment', 'from', 'to', 'user'], true],
		['gig', 'gigId', ['account', 'from', 'to', 'user'], true],
		['shift', 'shiftId', ['account', 'from', 'to', 'user'], true],
		['payrollDocument', 'payrollDocumentId', ['account', 'employment', 'from', 'to', 'user'], true],
		['userUpload', 'userUploadId', ['account', 'createdAfter', 'documentType', 'updatedAfter', 'user'], false],
		['report', 'reportId', ['createdAfter', 'user'], true],
		[
			'verification',
			'verificationId',
			['createdAfter', 'loanNumber', 'reportType', 'statusCode', 'statusState', 'updatedAfter', 'user'],
			true,
		],
		['depositDestination', 'depositDestinationId', ['account', 'user'], true],
		['vehicle', 'vehicleId', ['account', 'user'], true],
		['rating', 'ratingId', ['account', 'user'], false],
	];

	it.each(RECORDS)(
		'Argyle node keeps the names of %s that saved workflows depend on',
		(resource, id, filters, isSimplified) => {
			const output = isSimplified ? ['simplify', 'options'] : ['options'];
			expect(fieldsOf(resource, 'get')).toEqual(id === undefined ? [] : [id, ...output]);
			expect(fieldsOf(resource, 'getAll')).toEqual(['returnAll', 'limit', 'filters', ...output]);
			expect(filtersOf(resource)).toEqual(filters);
		},
	);

	it('Argyle node keeps the names of Download that saved workflows depend on', () => {
		expect(fieldsOf('payrollDocument', 'download')).toEqual(['payrollDocumentId', 'binaryPropertyName']);
		expect(fieldsOf('userUpload', 'download')).toEqual(['userUploadId', 'binaryPropertyName']);
		expect(fieldsOf('report', 'download')).toEqual(['reportId', 'format', 'binaryPropertyName']);
		expect(fieldsOf('verification', 'download')).toEqual(['verificationId', 'format', 'binaryPropertyName']);
		expect(findProperty('format')?.options?.map((option) => 'value' in option && option.value)).toEqual([
			'pdf',
			'json',
		]);
	});

	it('Argyle node keeps the defaults that saved workflows depend on', () => {
		expect(findProperty('resource')?.default).toBe('receipt');
		expect(findProperty('limit')?.default).toBe(50);
		expect(findProperty('binaryPropertyName')?.default).toBe('data');
		expect(findProperty('limit')?.displayOptions?.show).toEqual({
			resource: ['invite'],
			operation: ['getAll'],
			returnAll: [false],
		});
	});

	it('Argyle node offers the operations of each resource and defaults to the first', () => {
		const choosers = properties.filter(
			({ name, displayOptions }) => name === 'operation' && displayOptions?.show?.['@tool']?.[0] !== true,
		);
		expect(choosers.map(({ displayOptions, default: chosen }) => [displayOptions?.show?.resource, chosen])).toEqual([
			[['receipt'], 'generate'],
			[['invite'], 'send'],
			[['session'], 'createLink'],
			[['event'], 'getRecords'],
			...RECORDS.map(([resource, id]) => [[resource], id === undefined ? 'getAll' : 'get']),
			[['employer'], 'search'],
			[['webhook'], 'create'],
		]);
		const actions = choosers.flatMap(({ options = [] }) =>
			options.map((option) => ('action' in option ? option.action : '')),
		);
		expect(actions).toEqual([
			'Generate a receipt',
			'Send an invite',
			'Resend an invite',
			'Revoke an invite',
			'Get an invite',
			'Get many invites',
			'Create a session link',
			'Send a verification invite',
			'Get the records of an event',
			'Get a user',
			'Get many users',
			'Create a user',
			'Update a user',
			'Delete a user',
			'Get a user form',
			'Get many user forms',
			'Get an account',
			'Get many accounts',
			'Disable the refresh of an account',
			'Delete an account',
			'Simulate new data of an account',
			'Get an identity',
			'Get many identities',
			'Get many employments',
			'Get a paystub',
			'Get many paystubs',
			'Get a gig',
			'Get many gigs',
			'Get a shift',
			'Get many shifts',
			'Get a payroll document',
			'Get many payroll documents',
			'Download a payroll document',
			'Get a user upload',
			'Get many user uploads',
			'Download a user upload',
			'Upload a document',
			'Get a report',
			'Get many reports',
			'Download a report',
			'Generate a report',
			'Delete a report',
			'Get a verification',
			'Get many verifications',
			'Download a verification',
			'Order a verification',
			'Refresh a verification',
			'Update a verification',
			'Cancel a verification',
			'Get a deposit destination',
			'Get many deposit destinations',
			'Get a vehicle',
			'Get many vehicles',
			'Get a rating',
			'Get many ratings',
			'Search employers',
			'Get an employer',
			'Create a webhook subscription',
			'Delete a webhook subscription',
			'Get a webhook subscription',
			'Get many webhook subscriptions',
			'Verify a webhook delivery',
		]);
	});
});

/** What a person chooses or enters, in collections too. */
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

describe('ArgyleTrigger', () => {
	const { description } = new ArgyleTrigger();

	it('Argyle Trigger keeps the names that saved workflows depend on', () => {
		expect(description).toMatchObject({ name: 'argyleTrigger', displayName: 'Argyle Trigger', inputs: [] });
		expect(description.version).toBe(2);
		expect(description.properties.map(({ name }) => name)).toEqual([
			'receiveBy',
			'notice',
			'events',
			'events',
			'items',
			'includeUserForm',
			'includeUserForm',
			'options',
			'options',
		]);
		expect(findProperty('options', description.properties)?.options?.map(({ name }) => name)).toEqual([
			'catchUp',
			'daysSynced',
			'includeResource',
			'includeUser',
			'onlyFromArgyle',
			'skipDuplicates',
			'subscriptionName',
		]);
	});

	it("Argyle Trigger has Items to which n8n's editor can add", () => {
		const items = findProperty('items', description.properties);
		expect(items).toMatchObject({ type: 'resourceLocator', default: undefined, required: false });
		expect(items?.typeOptions?.multipleValues).toBe(true);
	});

	it('Argyle Trigger has one webhook, which answers once the execution is stored', () => {
		expect(description.webhooks).toMatchObject([
			{ name: 'default', path: 'webhook', responseMode: 'onReceived', responseData: '' },
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
