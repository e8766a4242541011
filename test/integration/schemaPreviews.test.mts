import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { subscribedNames } from '../../nodes/Argyle/api/events';
import { resources } from '../../nodes/Argyle/resources';
import { SAMPLE_EVENT } from '../../nodes/Argyle/trigger/starts/testEvent';
import { eventCases } from '../support/eventCases.mts';
import { USER_TOKEN_SIGNATURE } from '../support/fakeArgyle/invites.mts';
import { SENSITIVE } from '../support/fakeArgyle/recordTypes.mts';
import { verificationProgress } from '../support/fakeArgyle/reportFiles.mts';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { useFakeTime } from '../support/fakeTime.mts';
import { isJson, type Json } from '../support/json.mts';
import { readExamples } from '../support/n8n/example.mts';
import { byId, type RunOptions, useNodeFixture } from '../support/n8nCore/nodeFixture.mts';
import { useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';
import { root } from '../support/paths.mts';
import { schemaOf } from '../support/schema.mts';

const folder = join(root, 'schema');

/** Where n8n looks for a preview, by the node's version. */
const ofOperation = (resource: string, operation: string) => join('v1.0.0', resource, `${operation}.json`);

/**
 * Where only n8n's agents, which build workflows, look for it. Its editor shows no preview behind a trigger, and with
 * one where it looks for an operation's it would only have an empty panel.
 */
const OF_TRIGGER = join('v2.0.0', 'output.json');

const OPERATIONS = resources.flatMap(({ value: resource, operations }) =>
	operations.map(({ value: operation }) => ({ resource, operation })),
);

const readPreview = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));

const POSTAL = { postalCode: '90001', country: 'US' };

const previewOf = (items: unknown[]) => ({ ...schemaOf(items), version: 1 });

/** With PREVIEWS=renew, the file is written anew. */
function expectPreview(file: string, items: unknown[]): void {
	const preview = previewOf(items);
	expect(preview).toHaveProperty('properties');
	if (process.env.PREVIEWS === 'renew') {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		writeFileSync(join(folder, file), `${JSON.stringify(preview, null, '\t')}\n`);
	}
	expect(readPreview(file)).toEqual(preview);
}

describe('the schema preview', () => {
	const node = useNodeFixture({ requestsPerSecond: 1_000 });
	beforeEach(() => void useFakeTime());

	const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);

	const recordsOf = async (resource: string): Promise<IDataObject[]> =>
		jsonOf(await node.run({ resource, operation: 'getAll', returnAll: true, filters: {} }));

	const firstOf = async (resource: string, operation: string, parameters: object): Promise<IDataObject> => {
		const [item] = await node.run({ resource, operation, ...parameters });
		return item?.json ?? {};
	};

	const alex = {
		...{ firstName: 'Alex', lastName: 'Sample' },
		...{ sendBy: 'both', email: 'alex@example.com', phoneNumber: '+12125550123' },
		additionalFields: {
			externalId: 'LOAN-4711',
			templateId: '8ABCD1EF',
			employers: ['item_000001422'],
			notify: 'a@b.co',
		},
	};

	/** An order of the user who has an account, with all that an order can have. */
	const order = () => ({
		...{ userId: byId(node.userId(1)), reportType: 'voie' },
		additionalFields: {
			...{ loanNumber: '4711', borrowerId: 'B1', applicationId: 'A1', officerEmail: 'officer@example.com' },
			...{ costCenter: '5', division: 'retail', notify: 'team@example.com' },
		},
	});

	/** With what an operation that starts something is run; undefined for another. */
	async function inputOfStart(resource: string, operation: string): Promise<[object] | undefined> {
		const invite = async () => ({ inviteId: byId(String((await firstOf('invite', 'send', alex)).id)) });
		const verification = async () => byId(String((await firstOf('verification', 'order', order())).id));
		switch (`${resource} ${operation}`) {
			case 'invite send':
				return [alex];
			case 'invite get':
			case 'invite resend':
			case 'invite revoke':
				return [await invite()];
			case 'invite getAll':
				await invite();
				return [{ returnAll: true, filters: {} }];
			case 'verification order':
			case 'verification refresh':
				return [order()];
			case 'verification update':
				return [{ verificationId: await verification(), updateFields: { loanNumber: '4712' } }];
			case 'verification cancel': {
				const verificationId = await verification();
				const record = node.service.records.of('verifications').get(verificationId.value);
				Object.assign(record ?? {}, { status: { state: 'PAUSED', code: 'syncing_error', errors: [] } });
				return [{ verificationId }];
			}
			case 'verification download': {
				const [completed] = node.service.addRecords('verifications', 1, verificationProgress('report-1'));
				return [{ verificationId: completed?.id, format: 'pdf', binaryPropertyName: 'data' }];
			}
			case 'session createLink':
				return [{ verificationId: await verification(), additionalFields: {} }];
			case 'session sendInvite': {
				await verification();
				Object.assign(node.service.users.get(node.userId(1)) ?? {}, { first_name: 'Alex', last_name: 'Sample' });
				const { sendBy, email, phoneNumber } = alex;
				const { templateId, employers } = alex.additionalFields;
				const additionalFields = { templateId, employers, replyTo: 'team@example.com' };
				return [{ userId: byId(node.userId(1)), sendBy, email, phoneNumber, additionalFields }];
			}
			case 'employer get':
				return [{ employerId: byId('item_000001422') }];
			case 'employer search':
				return [{ searchText: 'whole', returnAll: true, filters: {} }];
			default:
				return undefined;
		}
	}

	/** With what an operation puts out all that the fake Argyle knows: its parameters, and its input. */
	async function inputOf(resource: string, operation: string): Promise<[object, RunOptions?]> {
		const start = await inputOfStart(resource, operation);
		if (start !== undefined) return start;
		switch (`${resource} ${operation}`) {
			case 'receipt generate':
				return [
					{ userId: byId('={{ $json.id }}'), binaryPropertyName: 'data', options: {} },
					{ items: (await recordsOf('user')).map((json) => ({ json })) },
				];
			case 'user create':
			case 'user update':
			case 'user upsert': {
				const [user] = node.service.users.values();
				Object.assign(user ?? {}, { external_metadata: {} });
				const entered = {
					...{ firstName: 'Bob', lastName: 'Jones', email: 'bob.jones@example.com', phoneNumber: '+15550100123' },
					...{ externalId: 'crm-1001', ssn: '522-09-1191', birthDate: '1980-02-01' },
					address: {
						value: { line1: '759 Victoria Plaza', line2: 'Apt 2', city: 'Los Angeles', state: 'CA', ...POSTAL },
					},
				};
				const userId = byId(user?.id ?? '');
				return [{ userId, externalId: 'crm-1001', additionalFields: entered, updateFields: entered }];
			}
			case 'user delete':
			case 'account delete':
				return [
					{ [`${resource}Id`]: byId('={{ $json.id }}'), confirmDeletion: true },
					{ items: [{ json: (await recordsOf(resource)).at(-1) ?? {} }] },
				];
			case 'account simulateNewData':
				await node.start({ environment: 'sandbox' });
				return [{ accountId: byId('={{ $json.id }}') }, { items: [{ json: (await recordsOf(resource))[0] ?? {} }] }];
			case 'report generate': {
				const [account] = node.service.accounts.values();
				return [{ reportType: 'voie', userId: byId(String(account?.user)), additionalFields: {} }];
			}
			case 'userUpload upload': {
				const [user] = node.service.users.values();
				const data = {
					data: Buffer.from('%PDF-1.7').toString('base64'),
					mimeType: 'application/pdf',
					fileName: 'a.pdf',
				};
				const parameters = { userId: byId(user?.id ?? ''), documentType: 'paystubs', binaryPropertyName: 'data' };
				return [parameters, { items: [{ json: {}, binary: { data } }] }];
			}
			case 'event getRecords': {
				const [paystub] = await recordsOf('paystub');
				const json = { event: 'paystubs.added', name: 'Paystubs', data: { account: paystub?.account } };
				return [{ returnAll: true }, { items: [{ json }] }];
			}
			case 'webhook create': {
				const events = ['user_forms.submitted'];
				return [{ name: 'Forms', url: 'https://example.com/argyle', events, additionalFields: {}, options: {} }];
			}
			case 'webhook verify': {
				const ids = { account: 'an account', user: 'a user', user_form: 'a form' };
				const body = eventBody('user_forms.submitted', 'Forms', ids);
				const data = { data: Buffer.from(body).toString('base64'), mimeType: 'application/json' };
				const parameters = { rawBodyProperty: 'data', signature: sign(body, 'secret'), secret: 'secret' };
				return [parameters, { items: [{ json: {}, binary: { data } }] }];
			}
		}
		if (operation === 'getAll') return [{ returnAll: true, filters: {} }];
		const id = '={{ $json.id }}';
		const isPicked = resource === 'user' || resource === 'webhook';
		return [
			{ [`${resource}Id`]: isPicked ? byId(id) : id, binaryPropertyName: 'data', format: 'pdf' },
			{ items: (await recordsOf(resource)).map((json) => ({ json })) },
		];
	}

	it.each(OPERATIONS)('of $resource $operation has the fields that the operation puts out', async (chosen) => {
		const { resource, operation } = chosen;
		node.addSubscriptions(2);
		for (const subscription of node.service.subscriptions.values()) subscription.last_sent_at = subscription.created_at;
		const [parameters, options] = await inputOf(resource, operation);
		const output = jsonOf(await node.run({ ...chosen, ...parameters }, options));
		expectPreview(ofOperation(resource, operation), output);
		// Who forgets `createMask` in a new operation is told here.
		for (const secret of [SENSITIVE, USER_TOKEN_SIGNATURE]) expect(JSON.stringify(output)).not.toMatch(secret);
	});
});

describe('an Argyle Trigger', () => {
	const trigger = useTriggerFixture();

	/** The items that start a workflow at this event. */
	async function itemsOf(event: string, options: Json = {}): Promise<IDataObject[]> {
		trigger.parameters = { events: [event], options: { ...options } };
		await trigger.activate();
		const [delivered = event] = subscribedNames([event]);
		const { data } = eventCases(trigger.service).get(delivered) ?? {};
		const [user] = trigger.service.users.keys();
		const lostAt = new Date(Date.now() + 1_000).toISOString();
		const lost = { status: 'error', error_code: 'auth_required', error_message: 'Log in again.', updated_at: lostAt };
		const [account] = trigger.service.addRecords('accounts', 1);
		const resource = { ...account, connection: { ...Object(account?.connection), ...lost } };
		const more = { user, ...((options.includeResource === true || delivered !== event) && { resource }) };
		const { items = [] } = await trigger.deliver(eventBody(delivered, 'Forms', { ...data, ...more }));
		return (await trigger.runExecute(items)).map(({ json }) => json);
	}

	it('has a schema preview with the fields of User Form Submitted', async () => {
		expectPreview(OF_TRIGGER, await itemsOf('user_forms.submitted', { includeUser: true }));
	});

	it('puts out the same fields as its sample for an account that has no user form', () => {
		// A delivered event was not made from a record.
		const { reconstructed, ...sample } = SAMPLE_EVENT;
		expect(reconstructed).toBe(true);
		expect(previewOf([sample])).toEqual(readPreview(OF_TRIGGER));
	});

	it.each(pinnedSamples('n8n-nodes-argyle.argyleTrigger'))(
		'puts out items with the fields of the sample that $file has of $name',
		async ({ sample, parameters }) => {
			const [event] = Array.isArray(parameters.events) ? parameters.events : [];
			const options = isJson(parameters.options) ? parameters.options : {};
			expect(schemaOf(sample)).toEqual(schemaOf(await itemsOf(String(event), options)));
		},
	);
});

it('a schema preview is there for each operation and the trigger, and for nothing else', () => {
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.json'));
	const expected = OPERATIONS.map(({ resource, operation }) => ofOperation(resource, operation));
	expect(files.sort()).toEqual([...expected, OF_TRIGGER].sort());
});

it.each(pinnedSamples('n8n-nodes-argyle.argyle'))(
	'the sample that $file has of $name has the fields of the schema preview of its operation',
	({ sample, parameters: { resource, operation } }) => {
		expect(previewOf(sample)).toEqual(readPreview(ofOperation(String(resource), String(operation))));
	},
);

/** The items that examples have pinned to their nodes of a type. */
function pinnedSamples(type: string) {
	return readExamples().flatMap(({ file, nodes, pinData }) =>
		nodes
			.filter((node) => node.type === type)
			.flatMap(({ name, parameters }) => {
				const { [String(name)]: pinned } = pinData;
				if (!Array.isArray(pinned) || !isJson(parameters)) return [];
				const sample = pinned.map((item: unknown) => (isJson(item) ? item.json : undefined));
				return [{ file, name, parameters, sample }];
			}),
	);
}
