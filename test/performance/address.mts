import { request } from 'node:http';

const PATIENCE_MS = 5_000;

/** The trigger's address takes deliveries. */
export const THERE = 'taken';

/**
 * Asks n8n with GET whether a trigger's address, which takes POST, is there: n8n names the methods of an address that is, and spends no
 * sandbox on the answer. Gives what a delivery would get at that moment, in words.
 */
export async function lookAtAddress(url: string): Promise<string> {
	const answer = await get(url);
	if (typeof answer === 'string') return answer;
	const { status, body } = answer;
	if (status !== 404) return `${status} "${body.slice(0, 40)}"`;
	if (/not registered for GET/.test(body)) return THERE;
	return /is not registered/.test(body) ? '404, not registered' : '404, no such page';
}

async function get(url: string): Promise<{ status: number; body: string } | string> {
	return await new Promise((resolve) => {
		// A connection of its own: one that n8n kept from before would hide that nobody listens any more.
		const outgoing = request(url, { agent: false, signal: AbortSignal.timeout(PATIENCE_MS) }, (response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.on('error', () => resolve('cut'));
			response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
		});
		outgoing.on('error', (error: NodeJS.ErrnoException) =>
			resolve(error.code === 'ECONNREFUSED' ? 'refused' : error.name === 'AbortError' ? 'no answer' : 'cut'),
		);
		outgoing.end();
	});
}
