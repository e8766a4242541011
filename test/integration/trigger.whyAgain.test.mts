import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';
import { advance } from '../support/fakeTime.mts';
import { loadTriggerNode } from '../support/n8nCore/loadTriggerNode.mts';
import { processedValues } from '../support/n8nCore/processedValues.mts';
import { useWatchedTrigger } from '../support/n8nCore/watchedTrigger.mts';

const MINUTE = 60_000;

const { trigger, looks, nextLook, missForm, startAfter, publish, startWatch } = useWatchedTrigger();

/** What n8n's log says of the trigger's executions, without the ID of the event. */
let said: string[];

beforeEach(() => {
	said = [];
	jest.spyOn(Container.get(Logger), 'info').mockImplementation((message) => {
		if (/for the event|of an event/.test(message)) said.push(message.replace(/[\da-f-]{36}/g, 'ID'));
	});
});

const ASKS = 'The Argyle Trigger asks n8n for an execution for the event ID';
const ASKS_AGAIN = 'The Argyle Trigger asks again for the event ID, because';
const DOES_NOT_START = 'This workflow has started before for the event ID, and does not start again';

/** Delivers a form that is submitted now, and returns the items of its execution. */
async function deliverForm() {
	const { form, user } = trigger.service.storeForm({ createdAt: new Date(Date.now()).toISOString() });
	const data = { account: form.account, user, user_form: form.id };
	const { items = [] } = await trigger.deliver(eventBody('user_forms.submitted', 'Forms', data));
	return items;
}

const storeIsAway = async () => await Promise.reject(new Error('the database is locked'));

/** `fail` lets the first execution fail; a look follows it, then `mend`, and two looks. */
it.each<[string, () => unknown, () => unknown]>([
	['n8n did not store the one before', () => (trigger.executions = 'are not stored'), () => {}],
	[
		'the one before failed in the trigger, or was stopped there',
		() => (processedValues.onAccess = storeIsAway),
		() => (processedValues.onAccess = async () => {}),
	],
	[
		'n8n has said nothing of the one before for minutes',
		() => (trigger.executions = 'wait'),
		() => advance(6 * MINUTE),
	],
	[
		'n8n has one from before its last start, which may have been killed',
		() => (trigger.executions = 'are killed elsewhere'),
		async () => {
			trigger.executions = 'run';
			said.pop();
			await startAfter(MINUTE);
			await nextLook();
		},
	],
])('an execution that follows on another says why in the log: %s', async (reason, fail, mend) => {
	await startAfter(60 * MINUTE);
	missForm(3 * MINUTE);
	fail();
	await nextLook();
	await mend();
	trigger.executions = 'run';
	await looks(2);
	expect(said).toEqual([ASKS, `${ASKS_AGAIN} ${reason}`]);
	expect(trigger.started()).toHaveLength(1);
});

it('an execution that checks what another process has received says so in the log, and that it starts nothing', async () => {
	await startAfter(60 * MINUTE);
	trigger.webhookNode = loadTriggerNode();
	advance(1_000);
	const items = await deliverForm();
	const main = trigger.node;
	trigger.restart();
	await trigger.runExecute(items);
	trigger.node = main;
	await looks(3);
	const reason = 'another process of n8n has received it, and may have been killed';
	expect(said).toEqual([`${ASKS_AGAIN} ${reason}`, DOES_NOT_START]);
});

it('a form that is delivered twice at once, and one that a person retries, say in the log what became of them', async () => {
	const items = await deliverForm();
	expect(await trigger.runExecute(items)).toHaveLength(1);
	expect(await trigger.runExecute(items)).toEqual([]);
	expect(await trigger.runExecute(items, 'retry')).toHaveLength(1);
	expect(said).toEqual([DOES_NOT_START, 'A retry starts this workflow again for the event ID']);
});

it('an event whose record Argyle does not show says in the log why it may start the workflow again', async () => {
	await publish({ events: ['accounts.connected'] });
	await startWatch();
	const { id } = trigger.addRecord('accounts');
	const { items = [] } = await trigger.deliver(eventBody('accounts.connected', 'Forms', { account: String(id) }));
	trigger.service.addFault({ kind: 'status', status: 403, path: /accounts/, times: Infinity });
	for (let run = 0; run < 2; run++) expect(await trigger.runExecute(items)).toHaveLength(1);
	const line = expect.stringMatching(
		/^Argyle does not show the record of an event accounts\.connected, so it may start this workflow again: Argyle refused/,
	);
	expect(said).toEqual([line, line]);
});
