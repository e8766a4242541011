import { ALL_ASSUMPTIONS, type AssumptionName } from '../../test/support/fakeArgyle/assumed.mts';
import type { OwnObjects } from './ownObjects.mts';
import { Interrupted, type Probe } from './probe.mts';
import { Undecided } from './undecided.mts';

/** What a check asks of the run. */
type Need = 'another key' | 'writing' | 'deliveries' | 'an address';

/** Finds out which side of an assumption a service is on. */
export interface Check {
	assumption: AssumptionName;
	/** Files and pages of ours that depend on it, from the root of the repository. */
	dependants: string[];
	needs?: Need;
	/**
	 * Returns a side of the assumption, or other words for what was seen, without a value of any record. Throws Undecided
	 * when nothing can be told.
	 */
	see: (probe: Probe, own: OwnObjects) => Promise<string>;
}

/** Makes checks that ask this of the run; `dependants` and `see` are those of `Check`. */
export const checksThatNeed =
	(needs?: Need) =>
	(assumption: AssumptionName, dependants: string[], see: Check['see']): Check => {
		return { assumption, dependants, needs, see };
	};

export type Verdict = 'holds' | 'differs' | "can't be told" | 'skipped';

export interface Result {
	check: Check;
	verdict: Verdict;
	/** What was seen, or why nothing was. */
	seen: string;
	/** How it could be seen. */
	how: string;
}

const OPTION_FOR: Record<Need, string> = {
	'another key': 'ARGYLE_OTHER_API_KEY_ID and ARGYLE_OTHER_API_KEY_SECRET',
	writing: '--write',
	deliveries: '--write --deliver-to',
	'an address': '--write --mail-to',
};

function isMet(need: Need | undefined, { target }: Probe): boolean {
	switch (need) {
		case 'another key':
			return target.otherKey !== undefined;
		case 'writing':
			return target.writes;
		case 'deliveries':
			return target.writes && target.deliveries !== undefined;
		case 'an address':
			return target.writes && target.mailTo !== undefined;
		default:
			return true;
	}
}

/** What is seen then says nothing of what a key with more rights would see. */
const FORBIDDEN = { seen: 'The key may not do this (403).', how: 'Ask the owner of the workspace.' };

/** Throws Interrupted. */
export async function run(check: Check, probe: Probe, own: OwnObjects): Promise<Result> {
	const { assumption, needs } = check;
	if (needs !== undefined && !isMet(needs, probe))
		return { check, verdict: 'skipped', seen: 'not asked for', how: `It needs ${OPTION_FOR[needs]}.` };
	const [believed] = ALL_ASSUMPTIONS[assumption].sides;
	const before = { ...probe.rights };
	return await check.see(probe, own).then(
		(seen) => {
			if (seen === believed) return { check, verdict: 'holds', seen, how: '' };
			const { forbidden, granted } = probe.rights;
			const isForbidden = forbidden > before.forbidden && granted === before.granted;
			return isForbidden
				? { check, verdict: "can't be told", ...FORBIDDEN }
				: { check, verdict: 'differs', seen, how: '' };
		},
		(error: unknown) => {
			if (error instanceof Undecided) return { check, verdict: "can't be told", seen: error.message, how: error.how };
			if (error instanceof Interrupted) throw error;
			return { check, verdict: "can't be told", seen: `The check broke: ${String(error)}`, how: '' };
		},
	);
}
