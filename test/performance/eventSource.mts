import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { DeliveryAttempt } from '../support/fakeArgyle/index.mts';

/** Something that sends events to a trigger, as Argyle does. */
export interface Source {
	/** Delivers one event that carries the id, with its repeat; gives the attempts, none when nobody is subscribed. */
	deliver(id: string): Promise<Array<Pick<DeliveryAttempt, 'status' | 'at' | 'body'>>>;
}

/** One event and what became of sending it. */
export interface Sent {
	id: string;
	/** When it happened; milliseconds since 1970. */
	at: number;
	attempts: Array<Pick<DeliveryAttempt, 'status' | 'at' | 'body'>>;
}

/** Sends events at a steady rate while `work` is done; gives them once the last has its last answer. */
export async function streamDuring(source: Source, perSecond: number, work: () => Promise<void>): Promise<Sent[]> {
	const sending: Array<Promise<Sent>> = [];
	let isOver = false;
	const done = work().finally(() => (isOver = true));
	const startedAt = Date.now();
	for (let count = 0; !isOver; count++) {
		await wait(Math.max(0, startedAt + (count * 1_000) / perSecond - Date.now()));
		const id = randomUUID();
		const at = Date.now();
		sending.push(source.deliver(id).then((attempts) => ({ id, at, attempts })));
	}
	await done;
	return await Promise.all(sending);
}
