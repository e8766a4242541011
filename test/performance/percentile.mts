/** The value that this part (0 to 1) of all values is below; NaN of none. */
export function percentile(values: number[], part: number): number {
	const sorted = values.toSorted((one, other) => one - other);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}
