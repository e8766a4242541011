import assert from 'node:assert/strict';
import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { startN8nFixture } from '../support/n8n/fixture.mts';
import { argyleTrigger } from '../support/n8n/nodes.mts';
import { SANDBOX_WHEN_NEEDED } from '../support/n8n/process.mts';
import { publishWorkflow } from './contender.mts';
import { deliver } from './eventSource.mts';
import { fixed, section } from './markdown.mts';
import { medianTimes, nanosecondsPerCall } from './sampler.mts';
import { loadVerification } from './verification.mts';

const DIGITS = 128;
const TEXT = eventBody('user_forms.submitted', 'Forms', { account: 'an account', user: 'a user', user_form: 'a form' });

/** One flat string, as a header is: V8 takes another time for one that is put together from parts. */
const flat = (parts: string) => Buffer.from(parts, 'latin1').toString('latin1');

/** Wrong signatures by name. The last is the first again: their difference is the noise. */
function wrongSignatures(right: string): Array<[string, string]> {
	const otherDigit = (digit: string) => ((parseInt(digit, 16) + 1) % 16).toString(16);
	const rightUpTo = (count: number) => flat(right.slice(0, count) + [...right.slice(count)].map(otherDigit).join(''));
	return [
		...[0, 1, 32, 64, 127].map((count): [string, string] => [`${count} digits right`, rightUpTo(count)]),
		['first half right, then zeros', flat(right.slice(0, DIGITS / 2).padEnd(DIGITS, '0'))],
		['0 digits right, again', rightUpTo(0)],
	];
}

/** Stops at the first difference: shows that the bench would see such a leak. */
function isEqualLeaking(expected: string, signature: string): boolean {
	for (let at = 0; at < DIGITS; at++) if (signature[at] !== expected[at]) return false;
	return true;
}

/** Whether the time of a refusal tells how many leading digits of a signature are right. */
export async function* refusal(): AsyncGenerator<string> {
	const fixture = await startN8nFixture({ env: SANDBOX_WHEN_NEEDED });
	const { argyle, credential } = await fixture.connectArgyle();
	await publishWorkflow(fixture.client, 'Refusal', [argyleTrigger(credential)]);
	const [subscription] = argyle.subscriptions.values();
	assert(subscription?.secret, 'the trigger has no subscription with a secret');
	const { url, secret } = subscription;
	const body = Buffer.from(TEXT);
	const isGenuine = loadVerification();
	const signatures = wrongSignatures(sign(body, secret));

	/** Times a refusal of each signature; cells with the time, and its ratio to that of the first. */
	async function measure(timeRefusal: (signature: string) => number | Promise<number>, rounds: number, digits: number) {
		const times = await medianTimes(
			signatures.map(
				([, signature]) =>
					() =>
						timeRefusal(signature),
			),
			rounds,
		);
		return times.map((time) => [fixed(time, digits), fixed(time / (times[0] ?? NaN), 4)]);
	}
	const timeCheck = (check: (signature: string) => boolean) => (signature: string) =>
		nanosecondsPerCall(() => assert(!check(signature)), 20);
	async function timeRequest(signature: string): Promise<number> {
		const startedAt = performance.now();
		const [attempt] = await deliver({ url, body: TEXT, headers: { 'X-Argyle-Signature': signature } });
		assert.equal(attempt?.status, 401);
		return performance.now() - startedAt;
	}
	const columns = [
		await measure(
			timeCheck((signature) => isGenuine(secret, body, signature)),
			10_000,
			0,
		),
		await measure(timeRequest, 1_000, 3),
		await measure(
			timeCheck((signature) => isEqualLeaking(sign(body, secret), signature)),
			5_000,
			0,
		),
	];
	await fixture.stop();
	yield section(
		'Refusal of a wrong signature',
		['signature', 'our check, ns', 'ratio', 'answer of n8n, ms', 'ratio', 'check that stops early, ns', 'ratio'],
		signatures.map(([name], index) => [name, ...columns.flatMap((cells) => cells[index] ?? [])]),
		'Medians in turns. A check that stops at the first difference shows what a leak would look like.',
	);
}
