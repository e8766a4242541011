import type { FaultFixture } from './fixture.mts';
import type { ActivationMode } from '../support/n8n/fixture.mts';

/** One row of the fault table. */
export interface FaultCase {
	/** What goes wrong. */
	fault: string;
	/** What has to happen for it to heal. */
	needed: 'nothing' | 'a delivery' | 'a publish' | 'a start of n8n' | 'the next test';
	/** Where it differs on the older path. */
	neededWithLegacyActivation?: FaultCase['needed'];
	/** Both unless told. */
	activations?: ActivationMode[];
	/** True when n8n itself is ended or started, so that no other row may run beside it. */
	isAlone?: boolean;
	/** Does the wrong and what heals it; gives the seconds that healing took. Rejects when it doesn't heal. */
	run(scene: FaultFixture): Promise<number>;
}
