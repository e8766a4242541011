import type { Version } from './database.mts';
import type { Climate } from './history.mts';
import type { Ways } from './n8n.mts';
import type { Random } from './random.mts';

const MINUTE = 60_000;

export type Mode = 'one process' | 'queue';

/** How the n8n of a world behaves. */
export function makeWays(random: Random, mode: Mode): Ways {
	return {
		isQueue: mode === 'queue',
		usesPublicationService: random.chance(0.75),
		savesWebhookStaticData: random.chance(0.5),
		isEmitSilent: random.chance(0.15),
		keepsSuccesses: random.chance(0.8),
		hasExpressions: random.chance(0.5),
		busyMs: random.pick([30, 200, 200, 1_500]),
		laterNodesMs: random.pick([100, 5_000, 20 * MINUTE]),
		hasCounter: mode === 'one process' && random.chance(0.5),
		proxyStatus: random.pick([undefined, 502, 503]),
		canCallItself: random.chance(0.8),
		hasOtherTrigger: random.chance(0.6),
	};
}

/** What kind of day it is. */
export function makeClimate(random: Random): Climate {
	return {
		formsPerHour: random.pick([1, 3, 6, 12]),
		lateMs: random.pick([1_000, 30_000, 4 * MINUTE]),
		hasGoneAccounts: random.chance(0.15),
		hasFutureForms: random.chance(0.08),
		hasOtherTenant: random.chance(0.2),
		incidents: random.whole(3, 16),
	};
}

/** What a person begins with. */
export const firstVersion = (random: Random): Version => ({
	trigger: 'on',
	receiveBy: random.pick(['webhook', 'webhook', 'polling']),
	hasForms: true,
	catchUp: true,
	tenant: 'A',
	revision: 0,
	otherRevision: 0,
});
