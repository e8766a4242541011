import { isDesired, rememberCreated } from '../../../../nodes/Argyle/trigger/subscription/createdSubscriptions';

const url = 'https://n8n.example.com/webhook';
const desired = { request: { name: 'n', url, events: ['*'], config: {} }, secret: 'secret' };

/** What the service, which names each event, answered when it created the desired subscription. */
const created = { id: 's', url, events: ['users.fully_synced', 'accounts.added'], secret: 'secret' };

it.each<[string, object, boolean]>([
	['as it was created', {}, true],
	['with its events in another order', { events: ['accounts.added', 'users.fully_synced'] }, true],
	['with its URL in other words', { url: 'HTTPS://n8n.example.com:443/webhook' }, true],
	['without its secret', { secret: undefined }, true],
	['with its secret behind asterisks', { secret: '***' }, true],
	['with the end of its secret behind dots', { secret: '••••cret' }, true],
	['with a short secret of its own', { secret: '**' }, false],
	['with another secret', { secret: 'other' }, false],
	['with its secret taken out', { secret: null }, false],
	['with a secret that is no text', { secret: ['***'] }, false],
	['with other events', { events: ['accounts.added'] }, false],
	['with a config', { config: { include_resource: true } }, false],
	['with another URL', { url: 'https://elsewhere.example.com/webhook' }, false],
	['with another ID', { id: 'other' }, false],
])('a subscription that this process created, listed %s, is the desired one: %p', (_, listed, expected) => {
	rememberCreated(created, desired);
	expect(isDesired({ ...created, ...listed }, desired)).toBe(expected);
});

it('a subscription whose list hides the secret is not the desired one any more when another one is wished for', () => {
	rememberCreated(created, desired);
	const listed = { ...created, secret: '***' };
	expect(isDesired(listed, { ...desired, secret: 'of another key' })).toBe(false);
	expect(isDesired(listed, { ...desired, request: { ...desired.request, events: ['accounts.added'] } })).toBe(false);
});

it('a subscription that says all that is wished for is the desired one, whoever created it', () => {
	expect(isDesired({ id: 'foreign', url, events: ['*'], secret: 'secret' }, desired)).toBe(true);
});
