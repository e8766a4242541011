import { print } from './output.mts';

/**
 * Resolves at the first Ctrl-C or SIGTERM, or when the terminal is closed, so that what has begun is finished. A second
 * Ctrl-C exits at once.
 */
export async function untilInterrupted(): Promise<void> {
	await new Promise<void>((resolve) => {
		const end = () => {
			print('Ending, as soon as what has begun is done (Ctrl-C again: at once) …');
			process.once('SIGINT', () => process.exit(130));
			resolve();
		};
		process.once('SIGINT', end);
		process.once('SIGTERM', end);
		process.once('SIGHUP', end);
	});
}
