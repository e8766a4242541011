const started = Date.now();

/** Prints a line. */
export function say(line: string): void {
	console.log(`  ${line}`);
}

/** Prints what has just happened, with the seconds since the start. */
export function step(line: string): void {
	console.log(`  ${((Date.now() - started) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
}

/** Prints a heading. */
export function heading(line: string): void {
	console.log(`\n${line}`);
}

/** Says what is wrong and ends with exit code 1. */
export function fail(line: string): never {
	console.error(`\n${line}`);
	process.exit(1);
}
