import { createHmac } from 'node:crypto';
import type { Subscription } from './argyle.mts';
import type { CallAnswer } from './incoming.mts';
import type { Message } from './occurrences.mts';
import type { N8nProcess } from './process.mts';
import type { Quirks } from './quirks.mts';
import type { Random } from './random.mts';
import type { Timeline } from './timeline.mts';

const ANSWER_MS = 10_000;
const REPEAT_AFTER_MS = 30_000;
const REPEATED = [429, 500, 502, 503, 504];

/** Who answers at a URL; undefined when nothing arrives there. */
type Receiver = ((body: string, headers: Record<string, string>) => Promise<CallAnswer>) | undefined;

/** One attempt to deliver. */
export interface Sending {
	/** When it was sent. */
	at: number;
	subscription: Subscription;
	message: Message;
	/** Whether it was answered with a success. */
	isTaken: boolean;
	/** The process that looks after the trigger then. */
	main: N8nProcess | undefined;
}

/** Argyle's deliveries: it waits 10 s, and sends once more, 30 s later, after silence or some statuses. */
export class Sender {
	private readonly timeline: Timeline;

	private readonly random: Random;

	private readonly receiverAt: (url: string) => Receiver;

	private readonly onSent: (sending: Omit<Sending, 'main'>) => void;

	private readonly quirks: Quirks;

	constructor(
		timeline: Timeline,
		random: Random,
		quirks: Quirks,
		receiverAt: (url: string) => Receiver,
		onSent: (sending: Omit<Sending, 'main'>) => void,
	) {
		this.onSent = onSent;
		this.quirks = quirks;
		this.timeline = timeline;
		this.random = random;
		this.receiverAt = receiverAt;
	}

	async deliver(subscription: Subscription, message: Message): Promise<void> {
		const { url, name, secret, events, config } = subscription;
		const { event, data, resource } = message;
		if (!events.includes(event)) return;
		const more = config.include_resource === true && resource !== undefined ? { resource } : {};
		const body = JSON.stringify({ event, name, data: { ...data, ...more } }, null, 2);
		const signature = createHmac('sha512', String(secret)).update(body).digest('hex');
		const headers = { 'content-type': 'application/json', 'x-argyle-signature': signature };
		await this.timeline.pause(this.random.mostlyShort(100, 6_000));
		if (this.draws(this.quirks.late)) await this.timeline.pause(this.random.between(0, this.quirks.lateMs));
		for (const isLast of [false, true]) {
			const at = this.timeline.now;
			const receive = this.receiverAt(url);
			const silence = this.timeline.pause(ANSWER_MS).then(() => 'silent' as const);
			const answer = receive === undefined ? 'refused' : await Promise.race([receive(body, headers), silence]);
			this.onSent({ at, subscription, message, isTaken: typeof answer !== 'string' && answer.status < 300 });
			if (isLast || !(this.isRepeated(answer) || this.draws(this.quirks.repeated))) return;
			await this.timeline.pause(REPEAT_AFTER_MS);
		}
	}

	/** A connection that fails is most likely not tried again. */
	private isRepeated(answer: CallAnswer | 'silent'): boolean {
		const { retries } = this.quirks;
		if (retries === 'never') return false;
		if (retries === 'also unreached' && typeof answer === 'string') return true;
		return answer === 'silent' || (typeof answer !== 'string' && REPEATED.includes(answer.status));
	}

	private draws(chance: number): boolean {
		return chance > 0 && this.random.chance(chance);
	}
}
