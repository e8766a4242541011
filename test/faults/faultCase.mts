import type { FaultFixture } from './faultFixture.mts';

/** What it takes for a workflow to work again after a fault. */
type Recovery = 'nothing' | 'a delivery' | 'a publish' | 'a start of n8n' | 'the next test';

export interface FaultCase {
	/** What goes wrong. */
	fault: string;
	needed: Recovery;
	/** In legacy activation, where that is different. */
	neededWithLegacyActivation?: Recovery;
	/** Causes the fault and what is needed; returns the seconds until the workflow works again or is cleaned up. */
	run(fixture: FaultFixture): Promise<number>;
}
