import { randomUUID } from 'node:crypto';
import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import { LOOK_INTERVAL } from '../../nodes/Argyle/trigger/state/timing';
import { eventBody } from '../support/fakeArgyle/signedEvent.mts';
import { advance } from '../support/fakeTime.mts';
import { loadTriggerNode } from '../support/n8nCore/loadTriggerNode.mts';
import { useWatchedTrigger } from '../support/n8nCore/watchedTrigger.mts';

const MINUTE = 60_000;

const { trigger, nextLook, looks, lookAfter, startWatch, startAfter, missForm, publish, close } = useWatchedTrigger();

/** Argyle says that it sent something now. */
function send(): void {
	const [own] = trigger.ownSubscriptions();
	if (own !== undefined) own.last_sent_at = new Date(Date.now()).toISOString();
}

/** No list can show what is not there any more. */
const UNLISTED = 'gigs.removed';

const bodyOf = (event = UNLISTED) => eventBody(event, 'Forms', { account: randomUUID(), user: randomUUID() });

/** Argyle sends an event now, and n8n takes it. */
async function take(event?: string) {
	send();
	return await trigger.deliver(bodyOf(event));
}

/** Publishes a trigger of an event that no list shows, which looks once. */
async function watchUnlisted(): Promise<void> {
	await publish({ events: [UNLISTED] });
	await startWatch();
	await nextLook();
}

/** An account on the second page of the list. */
function addOldAccount() {
	const [record] = Array.from({ length: 250 }, (_, minute) => {
		const created_at = new Date(Date.now() - 100 * 86_400_000 + minute * MINUTE).toISOString();
		const connection = { status: 'idle', updated_at: created_at };
		return trigger.addRecord('accounts', { created_at, connection });
	});
	return record;
}

function connect(record: ReturnType<typeof addOldAccount>): void {
	const updated_at = new Date(Date.now()).toISOString();
	Object.assign(record ?? {}, { connection: { status: 'connected', error_code: null, updated_at } });
}

/** Publishes the trigger, which takes a delivery, then has the service send something that does not arrive. */
async function lose(
	events: string[],
	happen = async () => {},
	isReached = true,
	firstLookMs = 10 * MINUTE,
): Promise<void> {
	await publish({ events });
	await startWatch();
	await nextLook();
	if (isReached) await take(events[0]);
	await looks(5);
	await happen();
	send();
	advance(firstLookMs - LOOK_INTERVAL.subscription);
	await looks(5);
}

it('what Argyle sent and n8n did not receive becomes one failed execution that says what it may have been', async () => {
	await lose(['identities.updated', 'gigs.updated', 'accounts.added']);
	expect(trigger.failedExecutions).toHaveLength(1);
	expect(trigger.failedExecutions[0]).toMatchObject({
		message: expect.stringMatching(/^Argyle sent an event between .* and .* that n8n did not receive/),
		description: expect.stringContaining(
			'It was one of: Gig Updated, Identity Updated, or several of them. These operations show what is there now: Gig: Get Many, Identity: Get Many.',
		),
	});
});

it('what Argyle sent and n8n did not receive is no failed execution where all chosen events are caught up', async () => {
	await lose(['accounts.added', 'accounts.connected', 'user_forms.submitted']);
	expect(trigger.failedExecutions).toEqual([]);
});

it('an event that a scan has found is not told as a loss, though n8n took no call for an hour before', async () => {
	await lose(['accounts.added', 'accounts.connected', 'user_forms.submitted'], async () => {
		await looks(13);
	});
	expect(trigger.failedExecutions).toEqual([]);
});

it('an event that was lost while n8n could not look is told, because a later scan does not reach it', async () => {
	const record = addOldAccount();
	const miss = async () => {
		connect(record);
		advance(10 * MINUTE);
		missForm();
		advance(110 * MINUTE);
		missForm();
	};
	// What was sent last is too young for the first look. What that look finds is where the scan then ends.
	await lose(['accounts.connected', 'user_forms.submitted'], miss, true, MINUTE);
	expect(trigger.started().map(({ event }) => event)).toEqual(['user_forms.submitted', 'user_forms.submitted']);
	expect(trigger.failedExecutions).toMatchObject([
		{ description: expect.stringContaining('It was one of: Account Connected') },
	]);
});

it('a call whose answer Argyle does not wait for, because n8n has no room for its execution, is no loss', async () => {
	await watchUnlisted();
	await take();
	await looks(5);
	send();
	const leave = new AbortController();
	const isLeft = new Promise((resolve) => {
		const store = async () => {
			leave.abort();
			await new Promise(() => {});
		};
		void trigger.deliver(bodyOf(), { store, signal: leave.signal }).catch(resolve);
	});
	await isLeft;
	advance(5 * MINUTE);
	await looks(3);
	expect(trigger.failedExecutions).toEqual([]);
});

it('a loss names five of many events', async () => {
	await lose(['*']);
	expect(trigger.failedExecutions[0]).toMatchObject({
		description: expect.stringMatching(/^It was one of: (?:[\w ]+, ){4}[\w ]+ and others, or several of them\./),
	});
});

it.each([
	['', true],
	[', though nothing ever reached n8n', false],
])('what a months-old account has come to is found when Argyle says that it sent something%s', async (_, isReached) => {
	const record = addOldAccount();
	await lose(['accounts.connected'], async () => connect(record), isReached);
	const found = { event: 'accounts.connected', data: { account: record?.id }, reconstructed: true };
	expect(trigger.started()).toMatchObject([found]);
	expect(trigger.failedExecutions).toEqual([]);
});

it('after n8n was stopped, its log says once from when to when, and which chosen events are not found again', async () => {
	const info = jest.spyOn(Container.get(Logger), 'info');
	await publish({ events: ['user_forms.submitted', UNLISTED] });
	await startWatch();
	await looks(2);
	await lookAfter(10 * MINUTE, 3);
	const said = info.mock.calls.filter(([message]) => message.includes('did not look from'));
	expect(said).toEqual([[expect.stringMatching(/did not look from 20\S+ to 20\S+\. Not found again: Gig Removed$/)]]);
	expect(trigger.failedExecutions).toEqual([]);
});

it.each([
	['is told', false, 1],
	['is not told where another trigger sets static data back, because n8n may have run', true, 0],
])('what Argyle sent while n8n was stopped %s', async (_, isSetBack, count) => {
	await watchUnlisted();
	const { lookedAt, ...before } = trigger.state;
	expect(lookedAt).toBeGreaterThan(0);
	advance(20 * MINUTE);
	send();
	if (isSetBack) trigger.staticData['node:Node'] = before;
	await lookAfter(5 * MINUTE);
	expect(trigger.failedExecutions).toHaveLength(count);
	await looks(5);
	expect(trigger.failedExecutions).toHaveLength(count);
});

it('n8n starts with a copy that does not say when the trigger last looked: another one may save it hours later', async () => {
	await watchUnlisted();
	expect(trigger.state.lookedAt).toBeGreaterThan(0);
	await startAfter(5 * MINUTE);
	expect(trigger.state.lookedAt).toBeUndefined();
});

describe('what is older than a week when n8n looks again', () => {
	const DAY = 24 * 60 * MINUTE;
	const events = ['user_forms.submitted', 'accounts.added', 'accounts.connected', UNLISTED];
	const tooOld = () => trigger.failedExecutions.filter(({ message }) => message.includes('within a week'));

	it('is told once, with the operations and dates that bring it, and what is younger starts the workflow', async () => {
		await publish({ events });
		await startWatch();
		await nextLook();
		const stoppedAt = Date.now();
		await close();
		advance(DAY);
		missForm();
		advance(8 * DAY);
		const young = missForm();
		const weekBefore = new Date(Date.now() - 7 * DAY).toISOString();
		await lookAfter(DAY, 2);
		expect(trigger.startedForms()).toEqual([young]);
		expect(tooOld()).toHaveLength(1);
		const [told] = tooOld();
		const message = told?.message ?? '';
		const [, after = '', before = ''] = /^Events between (\S+) and (\S+) may not/.exec(message) ?? [];
		// Argyle's answers tell whole seconds.
		expect([Math.abs(Date.parse(after) - stoppedAt) < 2_000, before]).toEqual([true, weekBefore]);
		const step = `with Created After ${after}, without what was created after ${before}: User Form: Get Many, Account: Get Many.`;
		const description = `${step} These operations show what is there now: Account: Get Many.`;
		expect(told).toHaveProperty('description', expect.stringContaining(description));
		await lookAfter(MINUTE);
		expect(tooOld()).toHaveLength(1);
	});

	it.each<[string, object, number]>([
		['the trigger finds none of the chosen events again', { events: [UNLISTED] }, 10 * DAY],
		['n8n was away for less than a week', { events }, 6 * DAY],
	])('is not told if %s', async (_, parameters, away) => {
		await publish({ ...parameters });
		await startWatch();
		await nextLook();
		await startAfter(away);
		missForm();
		await looks(2);
		expect(tooOld()).toEqual([]);
	});

	it.each(['webhook', 'polling'])('is told where the computer has slept (%s)', async (receiveBy) => {
		trigger.parameters = { ...trigger.parameters, receiveBy };
		await startWatch();
		await nextLook();
		advance(10 * DAY);
		missForm();
		await looks(2);
		expect(tooOld()).toHaveLength(1);
	});

	it('is not told of a time in which the workflow was not published', async () => {
		await startWatch();
		await nextLook();
		await close();
		await trigger.runHook('delete');
		advance(10 * DAY);
		trigger.restart();
		await trigger.activate();
		await startWatch();
		missForm();
		await looks(2);
		expect(trigger.failedExecutions).toEqual([]);
	});

	it('is not told if it starts the workflow all the same, because nothing newer is in the lists', async () => {
		await startWatch();
		await nextLook();
		const old = missForm();
		await lookAfter(10 * DAY);
		expect([trigger.startedForms(), tooOld()]).toEqual([[old], []]);
	});
});

it('a loss that goes on is told once a day', async () => {
	await lose([UNLISTED]);
	for (let hours = 0; hours < 20; hours++) {
		send();
		await looks(12);
	}
	expect(trigger.failedExecutions).toHaveLength(1);
	send();
	await looks(5 * 12);
	expect(trigger.failedExecutions).toHaveLength(2);
});

it('what n8n has taken while Argyle answered no look is not told after a start', async () => {
	await watchUnlisted();
	trigger.service.addFault({ kind: 'status', status: 503, times: Infinity });
	await looks(25);
	await take();
	trigger.service.clearFaults();
	await lookAfter(MINUTE);
	await take();
	await looks(5);
	expect(trigger.failedExecutions.filter(({ message }) => message.includes('did not receive'))).toEqual([]);
});

it('what another main process of n8n has taken is not told as lost', async () => {
	trigger.parameters = { ...trigger.parameters, events: [UNLISTED] };
	await startWatch();
	// A balancer gives n8n's own question to the other one now and then, and a delivery.
	const other = loadTriggerNode();
	trigger.webhookNode = other;
	await nextLook();
	trigger.webhookNode = undefined;
	await take();
	await looks(5);
	trigger.webhookNode = other;
	expect((await take()).status).toBe(200);
	await looks(5);
	expect(trigger.failedExecutions).toEqual([]);
});

it('a main process that takes the lead again does not tell what another one has taken meanwhile', async () => {
	trigger.parameters = { ...trigger.parameters, events: [UNLISTED] };
	const [one, other] = [trigger.node, loadTriggerNode()];
	async function lead(node: typeof one): Promise<void> {
		await close();
		trigger.node = node;
		trigger.activationMode = 'leadershipChange';
		expect(await trigger.runHook('checkExists')).toBe(true);
		await startWatch();
		await nextLook();
	}
	await lead(one);
	await take();
	await looks(5);
	await lead(other);
	await take();
	await looks(5);
	await lead(one);
	await looks(5);
	expect(trigger.failedExecutions).toEqual([]);
});
