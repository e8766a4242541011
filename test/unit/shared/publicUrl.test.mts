import { resolveEnvironment } from '../../../nodes/Argyle/transport/environment';
import { assertReachable, unreachableReason } from '../../../nodes/Argyle/shared/publicUrl';

const sandbox = resolveEnvironment({ environment: 'sandbox' });
const production = resolveEnvironment({ environment: 'production' });
const custom = resolveEnvironment({ environment: 'custom', baseUrl: 'http://127.0.0.1:9' });

describe('unreachableReason', () => {
	it.each([
		'http://localhost:5678/webhook/x',
		'https://LOCALHOST./x',
		'https://n8n/x',
		'https://n8n.local/x',
		'https://n8n.local./x',
		'https://8.8.8.8.lan/x',
		'https://n8n.lan/x',
		'https://app.internal/x',
		'http://127.0.0.1:5678/x',
		'http://0.0.0.0/x',
		'https://10.1.2.3/x',
		'https://172.16.0.1/x',
		'https://172.31.255.255/x',
		'https://192.168.1.2/x',
		'https://169.254.1.1/x',
		'https://100.64.0.1/x',
		'https://100.127.0.1/x',
		'https://[::1]/x',
		'https://[::]/x',
		'https://[fd00::1]/x',
		'https://[fe80::1]/x',
		'https://[::ffff:10.0.0.1]/x',
		// Other ways to write 127.0.0.1.
		'http://2130706433/x',
		'http://0x7f.1/x',
	])('reports %s as an address of a private network, unless the base URL is custom', (url) => {
		expect(unreachableReason(url, sandbox)).toMatch(/own network/);
		expect(unreachableReason(url, production)).toMatch(/own network/);
		expect(unreachableReason(url, custom)).toBeUndefined();
	});

	it.each(['', '/webhook/x', 'n8n.example.com/webhook'])('reports %p as not a complete address', (url) =>
		expect(unreachableReason(url, sandbox)).toMatch(/not a complete address/),
	);

	it.each([
		'https://n8n.example.com/x',
		'https://8.8.8.8/x',
		'https://172.32.0.1/x',
		'https://172.15.0.1/x',
		'https://100.63.0.1/x',
		'https://100.128.0.1/x',
		'https://11.0.0.1/x',
		'https://[2606:4700::1111]/x',
		'https://localhost.example.com/x',
	])('accepts %s as a public address', (url) => expect(unreachableReason(url, production)).toBeUndefined());

	it('refuses a public http address in Production and with a custom base URL, but not in Sandbox', () => {
		expect(unreachableReason('http://n8n.example.com/x', production)).toMatch(/not encrypted/);
		expect(unreachableReason('http://n8n.example.com/x', custom)).toMatch(/not encrypted/);
		expect(unreachableReason('http://n8n.example.com/x', sandbox)).toBeUndefined();
	});
});

it('assertReachable refuses an n8n that Argyle cannot reach: names its address and why, and what else to do', () => {
	expect(() => assertReachable('https://n8n.example.com/x', production)).not.toThrow();
	expect(() => assertReachable('https://n8n.local/x', sandbox)).toThrow(
		expect.objectContaining({
			message: "Argyle can't reach this n8n at https://n8n.local/x",
			description: expect.stringMatching(
				/own network can reach it.*Checking for Events.*N8N_WEBHOOK_URL \(before n8n 2\.30: WEBHOOK_URL\)/,
			),
		}),
	);
});
