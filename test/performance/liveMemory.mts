import { setTimeout as wait } from 'node:timers/promises';
import { isJson, type Json } from '../support/json.mts';
import { freePort } from '../support/n8n/process.mts';

const MIB = 2 ** 20;

/** So that the process gets on between two looks, each of which stops it. */
const PAUSE_MS = 20;

/** Measures what a process really holds: its garbage is collected before each look. */
interface LiveMemory {
	/** What n8n has to be started with. */
	env: Record<string, string>;
	/** How many MiB more were held at most while `work` was done than before. */
	growthDuring(work: () => Promise<unknown>): Promise<number>;
}

/** Calls methods of V8's inspector (https://chromedevtools.github.io/devtools-protocol/v8/). */
async function connectInspector(port: number): Promise<{ call(method: string): Promise<Json>; close(): void }> {
	const targets: unknown = await (await fetch(`http://127.0.0.1:${port}/json/list`)).json();
	const [target]: unknown[] = Array.isArray(targets) ? targets : [];
	const socket = new WebSocket(isJson(target) ? String(target.webSocketDebuggerUrl) : '');
	const answers = new Map<unknown, (result: Json) => void>();
	socket.addEventListener('message', ({ data }) => {
		const answer: unknown = JSON.parse(String(data));
		if (isJson(answer)) answers.get(answer.id)?.(isJson(answer.result) ? answer.result : {});
	});
	await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }));
	return {
		async call(method) {
			const id = answers.size;
			return await new Promise((resolve) => {
				answers.set(id, resolve);
				socket.send(JSON.stringify({ id, method }));
			});
		},
		close: () => socket.close(),
	};
}

export async function inspectedMemory(): Promise<LiveMemory> {
	const port = await freePort();
	return {
		env: { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` },
		async growthDuring(work) {
			const inspector = await connectInspector(port);
			const look = async () => {
				// Sent together: in the time of a round trip, the process would make new garbage.
				const [, { usedSize, backingStorageSize }] = await Promise.all([
					inspector.call('HeapProfiler.collectGarbage'),
					inspector.call('Runtime.getHeapUsage'),
				]);
				return (Number(usedSize) + Number(backingStorageSize)) / MIB;
			};
			await look();
			const before = await look();
			let isDone = false;
			const done = work().finally(() => (isDone = true));
			const held: number[] = [];
			while (!isDone) {
				held.push(await look());
				await wait(PAUSE_MS);
			}
			await done;
			inspector.close();
			return Math.max(...held) - before;
		},
	};
}
