import { randomUUID } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { isJson } from '../support/json.mts';
import { startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleNode } from '../support/n8n/nodes.mts';
import { startLocalServer } from './localServer.mts';
import { fixed, type Row, section } from './markdown.mts';
import { noOpContender, OWN_PER_SECOND, publishRun } from './receiptContenders.mts';
import { peakMemoryDuring } from './sampler.mts';

const PEOPLE = 500;
const LATENCIES_MS = [0, 20, 200];

interface FakeInvites {
	origin: string;
	/** How often each address was written to, since the last call, and for how many seconds. */
	take(): { messages: number[]; seconds: number };
	stop(): Promise<void>;
}

/** Answers as `POST /v2/invites` does, and limits nothing. */
async function startFakeInvites(latencyMs: number): Promise<FakeInvites> {
	const messages = new Map<string, number>();
	let firstAt: number | undefined;
	let lastAt = 0;
	const server = await startLocalServer((request, response) => {
		firstAt ??= performance.now();
		void json(request).then(async (body) => {
			const fields = isJson(body) ? body : {};
			const email = String(fields.email);
			messages.set(email, (messages.get(email) ?? 0) + 1);
			await wait(latencyMs);
			lastAt = performance.now();
			const ids = { id: randomUUID(), user: randomUUID(), user_token: 'token' };
			const answer = { ...ids, ...fields, status: 'sent', url: `https://verify.argyle.com/${ids.id}`, deliveries: [] };
			response.writeHead(201, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
		});
	});
	return {
		...server,
		take() {
			const counts = { messages: [...messages.values()], seconds: (lastAt - (firstAt ?? lastAt)) / 1_000 };
			messages.clear();
			firstAt = undefined;
			return counts;
		},
	};
}

const people = () =>
	Array.from({ length: PEOPLE }, () => ({
		firstName: 'Alex',
		lastName: 'Sample',
		email: `${randomUUID()}@example.com`,
	}));

/** What invites to many people need, in an n8n of its own for each latency. */
export async function* invites(): AsyncGenerator<string> {
	const rows: Row[] = [];
	for (const latencyMs of LATENCIES_MS) {
		const fixture = await startN8nFixture({ activation: 'publication' });
		const service = await startFakeInvites(latencyMs);
		const fields = { environment: 'custom', baseUrl: service.origin, apiKeyId: 'id', apiKeySecret: 'secret' };
		const credential = await fixture.client.createCredential('Argyle', 'argyleApi', fields);
		const invite = argyleNode(credential, {
			...{
				resource: 'invite',
				operation: 'send',
				firstName: '={{ $json.firstName }}',
				lastName: '={{ $json.lastName }}',
			},
			...{ sendBy: 'email', email: '={{ $json.email }}', additionalFields: {} },
		});
		const send = await publishRun(fixture, { name: 'Argyle node', nodes: [invite] });
		const pass = await publishRun(fixture, await noOpContender());
		await send(people().slice(0, 5));
		await pass(people().slice(0, 5));
		service.take();
		const noOpPeak = await peakMemoryDuring(fixture.n8n.pid, async () => await pass(people()));
		const peak = await peakMemoryDuring(fixture.n8n.pid, async () => await send(people()));
		const { messages, seconds } = service.take();
		const isOnce = messages.length === PEOPLE && messages.every((count) => count === 1);
		rows.push([
			latencyMs,
			fixed(PEOPLE / OWN_PER_SECOND),
			fixed(seconds),
			isOnce ? 'yes' : 'no',
			fixed(peak, 0),
			fixed(noOpPeak, 0),
		]);
		await fixture.stop();
		await service.stop();
	}
	const columns = [
		'latency, ms',
		`${PEOPLE} ÷ ${OWN_PER_SECOND}, s`,
		'seconds',
		'each once',
		'peak, MiB',
		'peak with a no-op node',
	];
	yield section(
		`${PEOPLE} people invited`,
		columns,
		rows,
		'Invites go out one after the other, so that what fails ends the list: each takes as long as Argyle needs to answer. ' +
			'Peak of the resident memory of the whole n8n process.',
	);
}
