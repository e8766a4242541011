/** Resolves at the first Ctrl-C (or polite end); a second one ends at once. */
export async function untilInterrupted(): Promise<void> {
	await new Promise<void>((resolve) => {
		const end = () => {
			process.once('SIGINT', () => process.exit(130));
			resolve();
		};
		process.once('SIGINT', end);
		process.once('SIGTERM', end);
	});
}
