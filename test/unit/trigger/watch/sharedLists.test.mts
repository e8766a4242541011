import { setImmediate as turn } from 'node:timers/promises';
import type { ArgyleClient } from '../../../../nodes/Argyle/transport/client';
import { connectToLook, recentLists } from '../../../../nodes/Argyle/trigger/watch/sharedLists';
import { clock } from '../../../../nodes/Argyle/utils/clock';
import { advance, useFakeTime } from '../../../support/fakeTime.mts';

let now = 1_700_000_000_000;
beforeEach(() => {
	// Each test long after the one before: the turns are those of the process.
	now += 86_400_000;
	useFakeTime(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** A client that fetches nothing, and says how often it was asked to. */
function clientOf(credentialDigest: string) {
	const json = jest.fn(async () => await Promise.resolve({ results: [{ id: '1', url: 'https://u' }], next: null }));
	const client: ArgyleClient = Object.create({ credentialDigest, json, environment: { origin: 'https://a' } });
	return { client, json };
}

it('triggers that look read their credentials one after the other, because all look at the same time', async () => {
	jest.spyOn(clock, 'pause').mockImplementation(async () => await new Promise(() => {}));
	let open = 0;
	let mostOpen = 0;
	async function getCredentials() {
		mostOpen = Math.max(mostOpen, ++open);
		await turn();
		open--;
		return { environment: 'sandbox', apiKeyId: 'one', apiKeySecret: 'secret' };
	}
	const look = async () => await Reflect.apply(connectToLook, undefined, [{ getCredentials }]);
	const clients: ArgyleClient[] = await Promise.all([look(), look(), look()]);
	expect(mostOpen).toBe(1);
	expect(new Set(clients.map(({ keyDigest }) => keyDigest)).size).toBe(1);
});

it('the triggers of one account share what is read for ten seconds', async () => {
	const clients = [clientOf('one'), clientOf('one'), clientOf('one')];
	const [first, second] = clients.slice(0, 2).map(({ client }) => recentLists(client));
	advance(9_999);
	expect([second, recentLists(clientOf('one').client)]).toEqual([first, first]);
	expect(await first?.subscriptionsTo('https://U:443')).toHaveLength(1);
	expect(await second?.subscriptionsTo('https://u/other')).toEqual([]);
	expect(clients.map(({ json }) => json.mock.calls.length)).toEqual([1, 0, 0]);
	advance(1);
	expect(recentLists(clientOf('one').client)).not.toBe(first);
});

it('after a clock was set back by an hour, no reading counts as recent', () => {
	const before = recentLists(clientOf('back').client);
	advance(-3_600_000);
	expect(recentLists(clientOf('back').client)).not.toBe(before);
});

it('an account whose list cannot be read is asked again by the next reading only', async () => {
	const { client, json } = clientOf('broken');
	json.mockRejectedValue(new Error('down'));
	const lists = recentLists(client);
	for (let count = 0; count < 2; count++) await expect(lists.subscriptionsTo('https://u')).rejects.toThrow('down');
	expect(json).toHaveBeenCalledTimes(1);
	advance(10_000);
	expect(await recentLists(clientOf('broken').client).subscriptionsTo('https://u')).toHaveLength(1);
});
