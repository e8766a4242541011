import type { Check } from '../check.mts';

/** What is written: users without a name, and what belongs to them. */
export const WRITE_CHECKS: Check[] = [];
