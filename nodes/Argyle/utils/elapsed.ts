/**
 * Whether less than `ms` milliseconds have passed from `since` to `now`. Not so when the clock was set back in between:
 * then what is over would count for as long as the step.
 */
export const isWithin = (ms: number, since: number, now: number): boolean => now >= since && now - since < ms;
