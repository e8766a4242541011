import { EVENT_NAMES } from '../../../test/support/fakeArgyle/eventNames.mts';
import { isJson, type Json } from '../../../test/support/json.mts';
import { type Check, checksThatNeed } from '../check.mts';
import type { OwnObjects } from '../ownObjects.mts';
import { type Answer, howToFill, type Probe } from '../probe.mts';
import { Undecided } from '../undecided.mts';
import { orderOf } from './orders.mts';

const reading = checksThatNeed();
const writing = checksThatNeed('writing');

const RECONCILE = 'nodes/Argyle/trigger/subscription/reconcile.ts';
const DESIRED = 'nodes/Argyle/trigger/subscription/desiredSubscription.ts';
const SUBSCRIPTIONS = 'nodes/Argyle/api/subscriptions.ts';
const REQUEST = 'nodes/Argyle/shared/subscriptionRequest.ts';

const SINCE = 'nodes/Argyle/trigger/subscription/learnWish.ts';

const path = '/v2/webhooks';

/** How far the clock that dates answers may be from the one that dates records. */
const CLOCK_MS = 10_000;

const MINUTE = 60_000;

/** Long enough for both subscriptions of the order to have a time of their own. */
const APART_MS = 50;

/** The subscription as the service returns it, by its ID. */
async function read(probe: Probe, { id }: { id: string }): Promise<Json> {
	const { status, body } = await probe.ask('GET', `${path}/${id}`);
	if (status !== 200 || !isJson(body)) throw new Undecided(`A new subscription can't be read (${status}).`);
	return body;
}

/** Two subscriptions of this run, created one after the other. */
async function two(own: OwnObjects): Promise<void> {
	await own.subscription();
	await new Promise((resolve) => setTimeout(resolve, APART_MS));
	await own.subscription();
}

const createdAt = ({ created_at: time }: Json) => Date.parse(String(time));

const accepted = ({ status }: Answer) => (status < 300 ? 'the subscription' : String(status));

async function listOrder(probe: Probe, query: Record<string, string>): Promise<string> {
	return orderOf(await probe.page(path, query), 'created_at', path);
}

/** Subscriptions: those of this run send to nobody, but for those of deliveries. */
export const WEBHOOK_CHECKS: Check[] = [
	reading('webhooksOrder', ['nodes/Argyle/resources/webhook/getAllSubscriptions.ts', RECONCILE], async (probe, own) => {
		if (probe.target.writes) await two(own);
		return await listOrder(probe, {});
	}),
	reading('orderingOfWebhooks', ['nodes/Argyle/resources/webhook/getAllSubscriptions.ts'], async (probe, own) => {
		if (probe.target.writes) await two(own);
		return await listOrder(probe, { ordering: 'created_at' });
	}),
	reading('createdSince', ['nodes/Argyle/resources/webhook/getAllSubscriptions.ts'], async (probe, own) => {
		if (probe.target.writes) await two(own);
		const all = await probe.page(path);
		const times = all.map(({ created_at: time }) => Date.parse(String(time))).sort((one, other) => one - other);
		const [oldest = 0] = times;
		const newest = times.at(-1) ?? 0;
		if (newest <= oldest) throw new Undecided('No two subscriptions have different times.', howToFill(path));
		const since = new Date(Math.ceil((oldest + newest) / 2)).toISOString();
		const left = await probe.page(path, { from_created_at: since });
		if (left.length === 0) return 'none';
		return left.some(({ created_at: time }) => Date.parse(String(time)) < Date.parse(since)) ? 'all' : 'the later ones';
	}),
	reading('creationTimeOfWebhook', [SINCE], async (probe, own) => {
		if (probe.target.writes) await own.subscription();
		const [subscription] = await probe.atLeast(1, path);
		return Number.isNaN(Date.parse(String(subscription.created_at))) ? 'no' : 'created_at';
	}),
	writing('clockOfCreatedWebhook', [SINCE], async (probe, own) => {
		const { headers } = await probe.ask('GET', path);
		const subscription = await read(probe, await own.subscription());
		const lateMs = createdAt(subscription) - Date.parse(String(headers.get('Date')));
		if (Number.isNaN(lateMs)) throw new Undecided('Nothing says when the subscription was created.');
		if (Math.abs(lateMs) < CLOCK_MS) return 'that of the creation';
		return Math.abs(lateMs - MINUTE) < CLOCK_MS ? 'a minute later' : 'another one';
	}),
	writing('createdAtStays', [SINCE], async (probe, own) => {
		const { id } = await own.subscription();
		const before = createdAt(await read(probe, { id }));
		await new Promise((resolve) => setTimeout(resolve, APART_MS));
		if (Number.isNaN(before)) throw new Undecided('The subscription does not say when it was created.');
		return createdAt(await read(probe, { id })) === before ? 'yes' : 'no';
	}),
	writing('statusOfCreatedWebhook', [SUBSCRIPTIONS], async (_, own) => {
		const { status } = await own.subscribe();
		if (status >= 300) throw new Undecided(`A webhook subscription could not be created (${status}).`);
		return String(status);
	}),
	writing('replyToCreatedWebhook', [SUBSCRIPTIONS], async (_, own) => {
		const { status, body } = await own.subscribe();
		if (status >= 300) throw new Undecided(`A webhook subscription could not be created (${status}).`);
		if (isJson(body) && typeof body.id === 'string' && Array.isArray(body.events)) return 'the subscription';
		return isJson(body) && 'event' in body ? 'a message of an event' : 'something else';
	}),
	writing('unsetConfig', [DESIRED], async (probe, own) =>
		JSON.stringify((await read(probe, await own.subscription())).config),
	),
	writing('unsetDaysSynced', [DESIRED], async (probe, own) => {
		const { config } = await read(probe, await own.subscription({ events: ['gigs.partially_synced'] }));
		if (!isJson(config) || Object.keys(config).length === 0) return 'nothing';
		return typeof config.days_synced === 'number' ? 'a number of days' : 'something else';
	}),
	writing('secretOfWebhook', ['nodes/Argyle/trigger/state/knownSecrets.ts', DESIRED], async (probe, own) => {
		const secret = 'a'.repeat(64);
		const { id } = await own.subscription({ secret });
		const listed = (await probe.all(path, {})).find((subscription) => subscription.id === id);
		const shown = listed ?? (await read(probe, { id }));
		return shown.secret === secret ? 'yes' : 'no';
	}),
	writing('twoWebhooksToOneUrl', [RECONCILE], async (_, own) => {
		const url = `${own.url}/twin`;
		await own.subscription({ url });
		return (await own.subscribe({ url })).status < 300 ? 'yes' : 'no';
	}),
	writing('urlOfWebhook', [SUBSCRIPTIONS], async (probe, own) => {
		const url = `${own.url}/with a blank`;
		const { url: stored } = await read(probe, await own.subscription({ url }));
		return stored === url ? 'as it was sent' : stored === encodeURI(url) ? 'encoded' : 'as something else';
	}),
	writing('allEvents', ['nodes/Argyle/api/events.ts', DESIRED], async (probe, own) => {
		const { events } = await read(probe, await own.subscription({ events: ['*'] }));
		if (!Array.isArray(events)) return 'not as a list';
		return events.length === 1 && events[0] === '*' ? '*' : 'one by one';
	}),
	writing('eventNames', ['nodes/Argyle/api/events.ts'], async (_, own) => {
		// Those of Items need an Item of the account's.
		const events = [...EVENT_NAMES].filter((event) => !event.startsWith('items.'));
		return (await own.subscribe({ events })).status < 300 ? 'all' : 'not all';
	}),
	writing('unknownEvent', [REQUEST], async (_, own) =>
		accepted(await own.subscribe({ events: ['contract.no_such_event'] })),
	),
	writing('itemEventsWithoutItems', [REQUEST], async (_, own) =>
		accepted(await own.subscribe({ events: ['items.updated'] })),
	),
	writing('webhookIsListed', [RECONCILE], async (probe, own) => {
		const { id } = await own.subscription();
		const listed = await probe.all(path, {});
		return listed.some((subscription) => subscription.id === id) ? 'yes' : 'no';
	}),
	writing('statusOfDeletedWebhook', [SUBSCRIPTIONS], async (probe, own) => {
		const { status, isEmpty } = await probe.ask('DELETE', `${path}/${(await own.subscription()).id}`);
		return `${status} ${isEmpty ? 'without a body' : 'with the record'}`;
	}),
	writing('webhookDeletedTwice', [SUBSCRIPTIONS], async (probe, own) => {
		const { id } = await own.subscription();
		await probe.ask('DELETE', `${path}/${id}`);
		return String((await probe.ask('DELETE', `${path}/${id}`)).status);
	}),
	writing(
		'receiptInSandbox',
		['nodes/Argyle/api/receipts.ts', 'nodes/Argyle/resources/receipt/generateReceipt.ts'],
		async (probe) => {
			if (probe.target.environment !== 'sandbox') throw new Undecided('This is no Sandbox.');
			const [{ id: user }] = await probe.atLeast(1, '/v2/users');
			const { status, body } = await probe.ask('POST', '/v2/receipts', { body: { user } });
			if (status < 300) return 'a PDF';
			return isJson(body) && typeof body.detail === 'string' ? 'an error with a detail' : `${status} without a detail`;
		},
	),
];
