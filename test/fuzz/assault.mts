import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';
import { createExchange, type IncomingCall } from '../support/n8nCore/exchange.mts';
import type { TriggerFixture } from '../support/n8nCore/triggerFixture.mts';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { type Attack, HEADER } from './attacks.mts';

/** What a call without a socket came to. */
export interface Outcome {
	status: number;
	items: INodeExecutionData[] | undefined;
}

/** Hands a call to the trigger's `webhook()` in n8n's context. Rejects with what it throws. */
export async function handTo(trigger: TriggerFixture, call: IncomingCall): Promise<Outcome> {
	const { request, response, recorded } = createExchange(call);
	const { result } = await trigger.prepareWebhook(request, response)();
	if (recorded.sent.length !== (result.noWebhookResponse === true ? 1 : 0))
		throw new Error('answered twice, or not at all');
	return { status: recorded.status, items: result.workflowData?.[0] ?? undefined };
}

/** Hands over a genuine delivery; throws unless it starts the workflow. Shows that attacks could be accepted. */
async function expectGenuineTaken(trigger: TriggerFixture, secret: string): Promise<void> {
	const body = eventBody('user_forms.submitted', 'Forms', { user_form: 'a form' });
	const outcome = await handTo(trigger, {
		headers: { [HEADER]: sign(body, secret) },
		rawBody: Buffer.from(body),
	});
	if (outcome.items?.length !== 1) throw new Error(`A genuine delivery was answered ${outcome.status}`);
}

const GENUINE_EVERY = 500;

/**
 * Hands many attacks to the trigger, with a genuine delivery after every 500. Throws, with the attack, when one is
 * answered with a status that isn't allowed, starts the workflow or makes `webhook()` throw.
 */
export async function fuzzRun(
	trigger: TriggerFixture,
	secret: string,
	{ attacks, times, statuses = [401] }: { attacks: fc.Arbitrary<Attack>; times: number; statuses?: number[] },
): Promise<void> {
	let calls = 0;
	await fc.assert(
		fc.asyncProperty(attacks, async (attack) => {
			if (calls++ % GENUINE_EVERY === 0) {
				await expectGenuineTaken(trigger, secret);
				// Without a socket nothing else ends the turn, and what n8n's logger puts off would pile up.
				await nextTurn();
			}
			const { status, items } = await handTo(trigger, attack);
			if (items !== undefined || !statuses.includes(status)) throw new Error(`answered ${status}`);
		}),
		{ numRuns: times },
	);
}
