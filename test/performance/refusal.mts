import { eventBody, sign } from '../support/fakeArgyle/signedEvent.mts';
import { startN8nFixture } from '../support/n8n/fixture.mts';
import { SANDBOX_WHEN_NEEDED } from '../support/n8n/process.mts';
import { publishWorkflow } from './contender.mts';
import { fixed, section } from './markdown.mts';
import { medianTimes, nanosecondsPerCall } from './sampler.mts';
import { argyleContender } from './triggerContenders.mts';
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
export async function refusal(): Promise<string[]> {
	const fixture = await startN8nFixture({ env: SANDBOX_WHEN_NEEDED });
	const connection = await fixture.connectArgyle();
	await publishWorkflow(fixture.client, 'Refusal', argyleContender(connection).nodes);
	const [subscription] = connection.argyle.subscriptions.values();
	if (subscription === undefined) throw new Error('The trigger has no subscription');
	const { url } = subscription;
	const secret = String(subscription.secret);
	const body = Buffer.from(TEXT);
	const isGenuine = loadVerification();
	const signatures = wrongSignatures(sign(body, secret));

	const timed = (verify: (signature: string) => boolean) =>
		signatures.map(([, signature]) => () => {
			const refuse = () => {
				if (verify(signature)) throw new Error('A wrong signature was accepted');
			};
			return nanosecondsPerCall(refuse, 20);
		});
	const overHttp = signatures.map(([, signature]) => async () => {
		const headers = { 'Content-Type': 'application/json', 'X-Argyle-Signature': signature };
		const startedAt = performance.now();
		const response = await fetch(url, { method: 'POST', body, headers });
		await response.arrayBuffer();
		if (response.status !== 401) throw new Error(`A wrong signature was answered ${response.status}`);
		return performance.now() - startedAt;
	});
	const ours = await medianTimes(
		timed((signature) => isGenuine(secret, body, signature)),
		10_000,
	);
	const leaking = await medianTimes(
		timed((signature) => isEqualLeaking(sign(body, secret), signature)),
		5_000,
	);
	const refusals = await medianTimes(overHttp, 1_000);
	await fixture.stop();

	const cells = (times: number[], index: number, digits: number) => {
		const [first = NaN, time = NaN] = [times[0], times[index]];
		return [fixed(time, digits), fixed(time / first, 4)];
	};
	return [
		section(
			'Refusal of a wrong signature',
			['signature', 'our check, ns', 'ratio', 'answer of n8n, ms', 'ratio', 'check that stops early, ns', 'ratio'],
			signatures.map(([name], index) => [
				name,
				...cells(ours, index, 0),
				...cells(refusals, index, 3),
				...cells(leaking, index, 0),
			]),
			'Medians in turns. A check that stops at the first difference shows what a leak would look like.',
		),
	];
}
