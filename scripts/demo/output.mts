const startedAt = Date.now();

export function print(line: string): void {
	console.log(`  ${line}`);
}

/** Prints what has just happened, with the seconds since the start. */
export function step(line: string): void {
	console.log(`  ${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
}

export function heading(line: string): void {
	console.log(`\n${line}`);
}

/** Prints what is wrong, also of something caught, and ends this process with exit code 1. */
export function fail(error: unknown): never {
	console.error(`\n${error instanceof Error ? error.message : String(error)}`);
	process.exit(1);
}
