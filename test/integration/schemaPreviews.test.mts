import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { subscribedNames } from '../../nodes/Argyle/api/events';
import { SAMPLE_EVENT } from '../../nodes/Argyle/trigger/starts/testEvent';
import { eventCases } from '../support/eventCases.mts';
import { USER_TOKEN_SIGNATURE } from '../support/fakeArgyle/invites.mts';
import { SENSITIVE } from '../support/fakeArgyle/recordTypes.mts';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';
import { useFakeTime } from '../support/fakeTime.mts';
import { isJson, type Json } from '../support/json.mts';
import { readExamples } from '../support/n8n/example.mts';
import { useNodeFixture } from '../support/n8nCore/nodeFixture.mts';
import { inputOf, OPERATIONS } from './operations.mts';
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

const readPreview = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));

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

	it.each(OPERATIONS)(
		'of $resource $operation has the fields that the operation puts out',
		async ({ resource, operation }) => {
			node.addSubscriptions(2);
			for (const subscription of node.service.subscriptions.values())
				subscription.last_sent_at = subscription.created_at;
			const [parameters, items] = await inputOf(node, resource, operation);
			const output = (await node.run({ resource, operation, ...parameters }, { items })).map(({ json }) => json);
			expectPreview(ofOperation(resource, operation), output);
			// Who forgets `createMask` in a new operation is told here.
			for (const secret of [SENSITIVE, USER_TOKEN_SIGNATURE]) expect(JSON.stringify(output)).not.toMatch(secret);
		},
	);
});

describe('an Argyle Trigger', () => {
	const trigger = useTriggerFixture();

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

// The previews are those of simplified records.
it.each(pinnedSamples('n8n-nodes-argyle.argyle').filter(({ parameters }) => parameters.simplify !== false))(
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
