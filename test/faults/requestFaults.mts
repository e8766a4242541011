import type { Fault } from '../support/fakeArgyle/index.mts';
import type { FaultCase } from './faultCase.mts';
import type { FaultFixture } from './faultFixture.mts';

const RESPONSE_FAULTS: Array<[string, Fault]> = [
	['responds 500', { kind: 'status', status: 500 }],
	['responds 429 three times', { kind: 'status', status: 429, headers: { 'Retry-After': '1' }, times: 3 }],
	['never responds', { kind: 'hang' }],
	['closes the connection', { kind: 'drop' }],
	['responds with an HTML page', { kind: 'html' }],
];

const REQUESTS = [
	{ request: 'the subscriptions are listed', method: 'GET', run: publishWith },
	{ request: 'the subscription is created', method: 'POST', run: publishWith },
	{ request: 'the subscription is deleted', method: 'DELETE', run: unpublishWith },
];

async function publishWith(fixture: FaultFixture, fault: Fault): Promise<number> {
	fixture.argyle.addFault({ ...fault, path: /^\/v2\/webhooks/ });
	fixture.startTimer();
	await fixture.publish();
	return await fixture.expectHealed();
}

async function unpublishWith(fixture: FaultFixture, fault: Fault): Promise<number> {
	await fixture.publish();
	fixture.argyle.addFault({ ...fault, path: /^\/v2\/webhooks/ });
	fixture.startTimer();
	await fixture.unpublish();
	return await fixture.expectRemoved();
}

/** Faults of a single request of the trigger, and outages of Argyle while the workflow is published or unpublished. */
export const requestFaults: FaultCase[] = [
	...REQUESTS.flatMap(({ request, method, run }) =>
		RESPONSE_FAULTS.map(
			([response, fault]): FaultCase => ({
				fault: `Argyle ${response} when ${request}`,
				needed: 'nothing',
				run: async (fixture) => await run(fixture, { ...fault, method }),
			}),
		),
	),
	{
		fault: 'Argyle creates the subscription, then closes the connection',
		needed: 'nothing',
		run: async (fixture) => await publishWith(fixture, { kind: 'dropAfterCommit', method: 'POST' }),
	},
	{
		fault: 'Argyle creates the subscription, but never responds',
		needed: 'nothing',
		run: async (fixture) => await publishWith(fixture, { kind: 'hangAfterCommit', method: 'POST' }),
	},
	{
		fault: 'Argyle deletes the subscription, then closes the connection',
		needed: 'nothing',
		run: async (fixture) => await unpublishWith(fixture, { kind: 'dropAfterCommit', method: 'DELETE' }),
	},
	{
		fault: 'Argyle is down for a minute when the workflow is published',
		needed: 'nothing',
		async run(fixture) {
			await fixture.duringOutage(60, async () => await fixture.publish());
			return await fixture.expectHealed();
		},
	},
	{
		fault: 'Argyle is down for a minute when the workflow is unpublished',
		needed: 'nothing',
		async run(fixture) {
			await fixture.publish();
			await fixture.duringOutage(60, async () => await fixture.unpublish());
			return await fixture.expectRemoved();
		},
	},
];
