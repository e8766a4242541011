import { createServer, type Server } from 'node:http';
import { followExecutions } from '../../../scripts/demo/workflow.mts';
import { listen } from '../../support/listen.mts';
import { N8nClient } from '../../support/n8n/client.mts';

let server: Server;
afterEach(() => {
	server.closeAllConnections();
	server.close();
});

it('the demo goes on when n8n does not answer, and ends when n8n has ended', async () => {
	const n8n = { hasEnded: false };
	const told: string[] = [];
	jest.spyOn(console, 'log').mockImplementation((line: string) => {
		told.push(line.replace(/.* s {2}/, ''));
		n8n.hasEnded = line.includes('Execution 1');
	});
	const lists = [[], undefined, undefined, [{ id: '1', status: 'error' }]];
	server = createServer(({ url = '' }, response) => {
		const results = url.startsWith('/rest/executions?') ? lists.shift() : [];
		if (results === undefined) response.destroy();
		else response.end(JSON.stringify({ data: { results, id: '1', status: 'error', data: '[{}]' } }));
	});
	const client = new N8nClient(`http://127.0.0.1:${await listen(server)}`);
	await expect(followExecutions(client, 'w', n8n, new Promise(() => {}))).rejects.toThrow('fetch failed');
	expect(told).toEqual(['n8n does not answer', 'n8n answers again', expect.stringMatching(/^Execution 1: error/)]);
});
