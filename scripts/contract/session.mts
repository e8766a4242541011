import { isJson } from '../../test/support/json.mts';
import { type Check, type Result, run } from './check.mts';
import type { Target } from './options.mts';
import { OwnObjects } from './ownObjects.mts';
import { type Answer, Interrupted, Probe, recordsIn } from './probe.mts';
import { Undecided } from './undecided.mts';

/** Why nothing can be checked, in words that say what to do. */
export class NotReady extends Error {}

export interface Session {
	results: Result[];
	left: string[];
	wasInterrupted: boolean;
	requestCount: number;
}

const other = ({ environment }: Target) => (environment === 'sandbox' ? 'production' : 'sandbox');

function refusalOf({ status, body }: Answer, target: Target): string {
	const { origin, environment } = target;
	const detail = isJson(body) && typeof body.detail === 'string' ? body.detail : '';
	if (status === 401 && /environment/i.test(detail))
		return `The key is one of ${other(target)}, and ${origin} is asked as ${environment}. Use a key of ${environment}, or the address of ${other(target)}.`;
	if (status === 401)
		return `${origin} does not know the key. Check ARGYLE_API_KEY_ID and ARGYLE_API_KEY_SECRET; a key made with Sandbox mode on works at https://api-sandbox.argyle.com only.`;
	if (status >= 500) return `${origin} is down (status ${status}). Try again later.`;
	if (status === 429) return `${origin} is asked too often by this account already (status 429). Try again later.`;
	return `${origin} does not answer as Argyle's API does (status ${status}). Check --url.`;
}

/** Throws NotReady unless the service can be asked. */
async function assertReady(probe: Probe): Promise<void> {
	const { target } = probe;
	const answer = await probe.ask('GET', '/v2/webhooks', { query: { limit: '1' } }).catch((error: unknown) => {
		if (!(error instanceof Undecided)) throw error;
		throw new NotReady(
			`${target.origin} could not be reached. ${error.message} Check --url and the network, and whether the service is up.`,
		);
	});
	// A key with few rights can still read other lists.
	if (answer.status === 403) return;
	if (answer.status !== 200 || recordsIn(answer.body) === undefined) throw new NotReady(refusalOf(answer, target));
}

/**
 * Runs the checks one after the other, and removes what they have created, also when `signal` interrupts them. Throws
 * NotReady when the service can't be asked at all.
 */
export async function runChecks(
	target: Target,
	checks: readonly Check[],
	signal: AbortSignal,
	onResult: (result: Result) => void = () => {},
): Promise<Session> {
	const probe = new Probe(target, signal);
	await assertReady(probe);
	const own = new OwnObjects(probe);
	const results: Result[] = [];
	let wasInterrupted = false;
	try {
		// What a killed run has left.
		if (target.writes) await own.remove();
		for (const check of checks) {
			const result = await run(check, probe, own);
			results.push(result);
			onResult(result);
		}
	} catch (error) {
		if (!(error instanceof Interrupted)) throw error;
		wasInterrupted = true;
	}
	const left = target.writes ? await own.remove() : [];
	return { results, left, wasInterrupted, requestCount: probe.requestCount };
}
