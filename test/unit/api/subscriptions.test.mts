import { isSameUrl, subscriptionsTo } from '../../../nodes/Argyle/api/subscriptions';
import type { ArgyleClient } from '../../../nodes/Argyle/transport/client';

const url = 'https://n8n.example.com/webhook/argyle trigger/webhook';

describe('isSameUrl', () => {
	it.each([
		url,
		'https://N8N.Example.COM/webhook/argyle trigger/webhook',
		'https://n8n.example.com:443/webhook/argyle trigger/webhook',
		'https://n8n.example.com/webhook/argyle%20trigger/webhook',
		'HTTPS://n8n.example.com/webhook/./argyle%20trigger/webhook',
	])('takes %s for the same address', (spelling) => expect(isSameUrl(spelling, url)).toBe(true));

	it.each([
		'http://n8n.example.com/webhook/argyle trigger/webhook',
		'https://n8n.example.com:8443/webhook/argyle trigger/webhook',
		'https://n8n.example.com/webhook/argyle trigger/webhook/',
		'https://n8n.example.com/Webhook/argyle trigger/webhook',
		'https://n8n.example.com/webhook/argyle trigger/webhook?a=1',
		'https://n8n.example.com.evil.example/webhook/argyle trigger/webhook',
		'/webhook/argyle trigger/webhook',
		'',
		null,
		undefined,
		7,
	])('takes %p for another address', (other) => expect(isSameUrl(other, url)).toBe(false));

	it('compares what is no address letter by letter', () => {
		expect(isSameUrl('/webhook', '/webhook')).toBe(true);
		expect(isSameUrl('/webhook', '/Webhook')).toBe(false);
		expect(isSameUrl(url, '/webhook')).toBe(false);
	});
});

it('subscriptionsTo keeps the order of those that send to the address', async () => {
	const results = [
		{ id: '1', url: encodeURI(url) },
		{ id: '2', url: 'https://elsewhere.example.com' },
		{ id: '3', url },
		{ id: '4' },
	];
	const client: ArgyleClient = Object.create({ environment: { origin: '' }, json: async () => ({ results }) });
	expect((await subscriptionsTo(client, url)).map(({ id }) => id)).toEqual(['1', '3']);
});
