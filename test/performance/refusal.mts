// `npm run bench:refusal`: does the time of a refusal tell how many leading characters of a signature are right?
// Jest only loads it; nothing is asserted.
import { isSignedBy } from '../../nodes/Argyle/api/signature';
import { createExchange } from '../support/n8nCore/exchange.mts';
import { type TriggerFixture, useTriggerFixture } from '../support/n8nCore/triggerFixture.mts';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { measure, type Sample, table } from './timing.mts';

const SECRET = 'a1'.repeat(32);
const BASE = '0 right';
const AGAIN = '0 right, again';
const DIGITS = 128;

const text = eventBody('user_forms.submitted', 'Forms', { account: 'an account', user: 'a user', user_form: 'a form' });
const body = Buffer.from(text);
const right = sign(text, SECRET);

/** One flat string, as a header is: V8 would take another time for one put together from parts. */
const flat = (parts: string) => Buffer.from(parts, 'latin1').toString('latin1');

/** The right signature up to a place, and every digit wrong from there on. */
const rightUpTo = (count: number) =>
	flat([...right].map((digit, at) => (at < count ? digit : ((parseInt(digit, 16) + 1) % 16).toString(16))).join(''));

const SIGNATURES = new Map([
	[BASE, rightUpTo(0)],
	['1 right', rightUpTo(1)],
	['32 right', rightUpTo(32)],
	['64 right', rightUpTo(64)],
	['127 right', rightUpTo(127)],
	['first half right, rest zeros', flat(right.slice(0, DIGITS / 2).padEnd(DIGITS, '0'))],
	[AGAIN, rightUpTo(0)],
]);

/** Makes a sample for each signature. */
const samples = (make: (signature: string) => Sample) =>
	new Map([...SIGNATURES].map(([name, signature]) => [name, make(signature)]));

const nanosecondsSince = (before: bigint) => Number(process.hrtime.bigint() - before);

/** Times some verifications in a row, because the clock is too coarse for one. */
function verifying(verify: (signature: string) => boolean, times: number): (signature: string) => Sample {
	return (signature) => async () => {
		let taken = 0;
		const before = process.hrtime.bigint();
		for (let index = 0; index < times; index++) if (verify(signature)) taken++;
		const nanoseconds = nanosecondsSince(before) / times;
		if (taken > 0) throw new Error('a wrong signature was accepted');
		return nanoseconds;
	};
}

/** Ends at the first difference: shows that the bench would see it. */
function leaky(signature: string): boolean {
	const expected = sign(text, SECRET);
	for (let at = 0; at < DIGITS; at++) if (signature[at] !== expected[at]) return false;
	return true;
}

/** Times one call of `webhook()`; its context is made before the clock starts. */
const refusing =
	(trigger: TriggerFixture) =>
	(signature: string): Sample =>
	async () => {
		const { request, response, recorded } = createExchange({
			headers: { 'x-argyle-signature': signature },
			rawBody: body,
		});
		const run = trigger.prepareWebhook(request, response);
		const before = process.hrtime.bigint();
		await run();
		const nanoseconds = nanosecondsSince(before);
		if (recorded.status !== 401) throw new Error(`answered ${recorded.status}`);
		return nanoseconds;
	};

const trigger = useTriggerFixture();

it('measures how long a refusal takes', async () => {
	await trigger.activate();
	const registered = trigger.ownSubscriptions()[0];
	if (registered === undefined) throw new Error('the trigger has no subscription');
	// The trigger and the service agree on the secret that the signatures are made with.
	registered.secret = SECRET;
	trigger.staticData = { 'node:Node': { ...trigger.state, secret: SECRET } };
	const show = async (title: string, groups: Map<string, Sample>, rounds: number) =>
		process.stdout.write(table(title, await measure(groups, rounds), BASE, AGAIN));

	await show('isSignedByOneOf', samples(verifying((signature) => isSignedBy([SECRET], body, signature), 20)), 10_000);
	await show('webhook() as a whole', samples(refusing(trigger)), 8_000);
	await show('For comparison: a check that ends at the first difference', samples(verifying(leaky, 20)), 5_000);
}, 600_000);
