import { createHmac } from 'node:crypto';
import type { Subscription } from './argyle.mts';
import type { Form } from './formList.mts';
import type { CallAnswer } from './incoming.mts';
import type { Random } from './random.mts';
import type { Timeline } from './timeline.mts';

const ANSWER_MS = 10_000;
const REPEAT_AFTER_MS = 30_000;
const REPEATED = [429, 500, 502, 503, 504];

/** Who answers at a URL; undefined when nothing arrives there. */
type Receiver = ((body: string, headers: Record<string, string>) => Promise<CallAnswer>) | undefined;

/** Argyle's deliveries: it waits 10 s, and sends once more, 30 s later, after silence or some statuses. */
export class Sender {
	private readonly timeline: Timeline;

	private readonly random: Random;

	private readonly receiverAt: (url: string) => Receiver;

	constructor(timeline: Timeline, random: Random, receiverAt: (url: string) => Receiver) {
		this.timeline = timeline;
		this.random = random;
		this.receiverAt = receiverAt;
	}

	async deliver({ url, name, secret, events }: Subscription, { account, user, id }: Form): Promise<void> {
		if (!events.includes('user_forms.submitted')) return;
		const body = JSON.stringify(
			{ event: 'user_forms.submitted', name, data: { account, user, user_form: id } },
			null,
			2,
		);
		const signature = createHmac('sha512', String(secret)).update(body).digest('hex');
		const headers = { 'content-type': 'application/json', 'x-argyle-signature': signature };
		await this.timeline.pause(this.random.mostlyShort(100, 6_000));
		for (const isLast of [false, true]) {
			const receive = this.receiverAt(url);
			if (receive === undefined) return;
			const silence = this.timeline.pause(ANSWER_MS).then(() => 'silent' as const);
			const answer = await Promise.race([receive(body, headers), silence]);
			// A connection that fails is not tried again.
			if (answer === 'refused' || answer === 'broken' || isLast) return;
			if (answer !== 'silent' && !REPEATED.includes(answer.status)) return;
			await this.timeline.pause(REPEAT_AFTER_MS);
		}
	}
}
