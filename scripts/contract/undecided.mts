/** Thrown where a check can't be decided with this account, key or service. `how` says what would decide it. */
export class Undecided extends Error {
	readonly how: string;

	constructor(why: string, how = '') {
		super(why);
		this.how = how;
	}
}
