/** A check can't be told with this account, key or service. `how` says what would let it be told. */
export class Untold extends Error {
	readonly how: string;

	constructor(why: string, how = '') {
		super(why);
		this.how = how;
	}
}
