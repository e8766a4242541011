import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import type { RecordTypeName } from '../support/fakeArgyle/recordTypes.mts';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';
import { advance } from '../support/fakeTime.mts';
import { useWatchedTrigger } from '../support/n8nCore/watchedTrigger.mts';

const MINUTE = 60_000;

const { trigger, nextLook, missForm, startAfter, startWatch, close } = useWatchedTrigger();

/** Publishes the trigger with other events. */
async function publish(events: string[], activationMode: 'activate' | 'update' = 'activate'): Promise<void> {
	await close();
	await trigger.runHook('delete');
	Object.assign(trigger, { activationMode, parameters: { ...trigger.parameters, events } });
	await trigger.activate();
}

/** What all executions have gone on with. */
const started = () => trigger.emitted.flatMap(({ output = [] }) => output);

interface Case {
	event: string;
	list: RecordTypeName;
	/** The event's data of a record. */
	data: (record: IDataObject) => IDataObject;
}

const CASES: Case[] = [
	{ event: 'accounts.added', list: 'accounts', data: ({ id, user }) => ({ user, account: id }) },
	{ event: 'user_uploads.added', list: 'user-uploads', data: ({ id, account }) => ({ account, user_upload: id }) },
];

describe.each(CASES)('$event', ({ event, list, data }) => {
	/** A record of a new event that is not delivered. */
	function miss(fields: object = {}): { record: IDataObject; user: string; sent: IDataObject } {
		const owner = { account: randomUUID(), user: randomUUID() };
		const created_at = new Date(Date.now()).toISOString();
		const [record = {}] = trigger.service.records.add(list, 1, owner, { created_at, ...fields });
		return { record, user: owner.user, sent: { user: owner.user, ...data(record) } };
	}

	const deliver = async (sent: IDataObject) => await trigger.deliver(eventBody(event, 'Forms', { ...sent }));

	beforeEach(async () => await publish([event]));

	it('one that was missed while n8n was stopped starts the workflow once, with the data of a delivered one', async () => {
		advance(MINUTE);
		const { user, sent } = miss();
		await startAfter(10 * MINUTE);
		await nextLook();
		const item = { event, name: 'n8n – Forms to CRM', data: { user, ...sent }, reconstructed: true };
		expect(started()).toEqual([item]);
		expect(await nextLook()).toBeGreaterThan(4 * MINUTE);
		await startAfter(MINUTE);
		await nextLook();
		expect(started()).toEqual([item]);
	});

	it('one that was delivered is not started again, not even by another process', async () => {
		advance(MINUTE);
		const { sent } = miss();
		const { items = [] } = await deliver(sent);
		expect(await trigger.runExecute(items)).toMatchObject([{ json: { data: sent } }]);
		await startAfter(10 * MINUTE);
		await nextLook();
		expect(started()).toEqual([]);
	});

	it('one that was found is not taken again when its delivery comes late', async () => {
		advance(MINUTE);
		const { sent } = miss();
		await startAfter(10 * MINUTE);
		await nextLook();
		expect(started()).toHaveLength(1);
		expect((await deliver(sent)).body).toContain('Already received');
	});

	it('one from before the publish that chose it does not start the workflow', async () => {
		await publish(['user_forms.submitted']);
		advance(MINUTE);
		miss();
		const form = missForm();
		advance(MINUTE);
		await publish(['user_forms.submitted', event], 'update');
		advance(MINUTE);
		const { sent } = miss();
		await startWatch();
		advance(2 * MINUTE);
		await nextLook();
		expect(started().map((item) => item.data)).toEqual([expect.objectContaining({ user_form: form }), sent]);
	});
});

it('an account that came with an uploaded document is no account that was added', async () => {
	await publish(['accounts.added']);
	advance(MINUTE);
	const owner = { account: randomUUID(), user: randomUUID() };
	const created_at = new Date(Date.now()).toISOString();
	trigger.service.records.add('accounts', 1, owner, { source: 'doc_upload_item', created_at });
	await startAfter(10 * MINUTE);
	await nextLook();
	expect(started()).toEqual([]);
});

it('with Catch Up off an added account is neither looked for nor remembered', async () => {
	trigger.parameters = { ...trigger.parameters, options: { catchUp: false } };
	await publish(['accounts.added']);
	const body = eventBody('accounts.added', 'Forms', { account: randomUUID(), user: randomUUID() });
	for (let count = 0; count < 2; count++) expect((await trigger.deliver(body)).body).toContain('Received');
});
