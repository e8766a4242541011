/** Takes values and a part of one; gives the value that this part of them is below, NaN of none. */
export function percentile(values: number[], part: number): number {
	const sorted = [...values].sort((one, other) => one - other);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}

/** Takes values; gives the one in their middle, NaN of none. */
export const median = (values: number[]) => percentile(values, 0.5);
