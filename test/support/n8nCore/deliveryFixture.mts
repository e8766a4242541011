import { randomUUID } from 'node:crypto';
import { eventBody, sign } from '../fakeArgyle/event.mts';
import { type FakeArgyle, startFakeArgyle } from '../fakeArgyle/index.mts';
import { startReceiver, stateOf, type TestedTrigger } from './trigger.mts';
import { newTrigger, TriggerFixture } from './triggerFixture.mts';

/** The ids of a submitted form. */
export const data = { account: randomUUID(), user: randomUUID(), user_form: randomUUID() };

/** A delivery as Argyle writes it. */
export const body = eventBody('user_forms.submitted', 'Forms', data);

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** A trigger that can be called. */
export class DeliveryFixture extends TriggerFixture {
	readonly receiver: Receiver;

	constructor(service: FakeArgyle, trigger: TestedTrigger, receiver: Receiver) {
		super(service, trigger);
		this.receiver = receiver;
	}

	/** Sets the stage: a new service, and a new trigger that can be called. */
	static async set(): Promise<DeliveryFixture> {
		const service = await startFakeArgyle();
		const trigger = newTrigger(service);
		return new DeliveryFixture(service, trigger, await startReceiver(trigger));
	}

	async clear(): Promise<void> {
		await this.receiver.stop();
		await this.service.stop();
	}

	/** The signature header for some bytes, with the trigger's secret unless another is given. */
	signed(bytes: string | Buffer, secret: unknown = stateOf(this.trigger).secret): Record<string, string> {
		return { 'X-Argyle-Signature': sign(bytes, String(secret)) };
	}

	/** How often the service was asked something. */
	asked(): number {
		return this.requestCount('GET');
	}
}
