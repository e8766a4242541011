/**
 * Runs something that must not take long; gives the milliseconds of processor time it took, which other processes on
 * the machine don't change much.
 */
export function cpuMs(work: () => unknown): number {
	const before = process.cpuUsage();
	work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1_000;
}
