/** Something that we believe of Argyle and that its documentation leaves open. */
export interface Assumption {
	question: string;
	/** Two answers that are possible. The first is what we believe, and what the fake does unless it is told otherwise. */
	sides: readonly [believed: string, other: string];
	/** Where the facts speak of it, and how well it is known. */
	source: string;
}
