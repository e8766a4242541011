import { say } from './output.mts';

/**
 * Resolves at the first Ctrl-C (or polite end), and says so, as a start under way is finished first; a second one
 * ends at once.
 */
export async function untilInterrupted(): Promise<void> {
	await new Promise<void>((resolve) => {
		const end = () => {
			say('Ending, as soon as what is under way is done (Ctrl-C again: at once) …');
			process.once('SIGINT', () => process.exit(130));
			resolve();
		};
		process.once('SIGINT', end);
		process.once('SIGTERM', end);
	});
}
