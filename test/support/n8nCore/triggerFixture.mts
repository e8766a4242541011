import { randomUUID } from 'node:crypto';
import { type FakeArgyle, startFakeArgyle, type Subscription } from '../fakeArgyle/index.mts';
import { newSubscription } from '../fakeArgyle/webhooks.mts';
import { type TestedTrigger, urlOf } from './trigger.mts';
import { credentialFor } from '../fakeArgyle/credential.mts';

/** A service and a trigger, and what tests ask of them. */
export class TriggerFixture {
	readonly service: FakeArgyle;

	trigger: TestedTrigger;

	constructor(service: FakeArgyle, trigger: TestedTrigger) {
		this.service = service;
		this.trigger = trigger;
	}

	/** All subscriptions at the service. */
	allSubscriptions(): Subscription[] {
		return [...this.service.subscriptions.values()];
	}

	/** Those that send to the trigger's address. */
	ownSubscriptions(): Subscription[] {
		return this.allSubscriptions().filter(({ url }) => url === urlOf(this.trigger));
	}

	/** How many requests of a method the service has seen. */
	requestCount(method: string): number {
		return this.service.requests.filter((request) => request.method === method).length;
	}

	/** Puts a subscription at the service that somebody else, or an earlier life of the trigger, made. */
	foreignSubscription(fields: Partial<Subscription> = {}): Subscription {
		const made = {
			...newSubscription({ name: 'Stranger', url: 'https://elsewhere.example.com', events: ['*'], secret: null }),
			...fields,
		};
		this.service.subscriptions.set(made.id, made);
		return made;
	}
}

/** A trigger of a new workflow for the service, never activated. */
export function newTrigger(service: FakeArgyle): TestedTrigger {
	return {
		credential: credentialFor(service),
		parameters: { events: ['user_forms.submitted'], options: {} },
		staticData: {},
		workflowId: randomUUID(),
	};
}

/** Sets the stage: a new service and a new trigger. */
export async function createTriggerFixture(): Promise<TriggerFixture> {
	const service = await startFakeArgyle({ requestsPerSecond: 1_000 });
	return new TriggerFixture(service, newTrigger(service));
}
