import { readFileSync, writeFileSync } from 'node:fs';
import { median } from '../support/statistics.mts';

/** Memory of a process in MiB (man 5 proc, /proc/pid/status). */
function memory(pid: number, field: 'VmRSS' | 'VmHWM'): number {
	const kib = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
	return Number(kib) / 1024;
}

/** Resident memory of a process in MiB. */
export const residentMemory = (pid: number) => memory(pid, 'VmRSS');

/** The resident memory of a process now, and the highest from now on, in MiB. */
export function startPeak(pid: number): { idle: number; peak: () => number } {
	// Resets the peak to what is resident now.
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
	return { idle: residentMemory(pid), peak: () => memory(pid, 'VmHWM') };
}

/** Highest resident memory, in MiB, that a process had while `work` was done. */
export async function peakMemoryDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
	const { peak } = startPeak(pid);
	await work();
	return peak();
}

/**
 * Yields every item once a round. Each round begins with another one, so that changes in the machine's load affect all
 * alike.
 */
export function* inTurns<Item>(items: readonly Item[], rounds: number): Generator<Item> {
	for (let round = 0; round < rounds; round++) {
		const first = round % items.length;
		yield* items.slice(first);
		yield* items.slice(0, first);
	}
}

/** Calls all functions in turns, each of which returns how long it took, and resolves with the median of each. */
export async function medianTimes(timed: Array<() => number | Promise<number>>, rounds: number): Promise<number[]> {
	const samples = timed.map((time) => ({ time, times: new Array<number>() }));
	const warmUpRounds = Math.ceil(rounds / 10);
	for (const { time } of inTurns(samples, warmUpRounds)) await time();
	for (const { time, times } of inTurns(samples, rounds)) times.push(await time());
	return samples.map(({ times }) => median(times));
}

/** Nanoseconds that one of several calls in a row takes: the clock is too coarse for one. */
export function nanosecondsPerCall(work: () => void, calls: number): number {
	const startedAt = process.hrtime.bigint();
	for (let call = 0; call < calls; call++) work();
	return Number(process.hrtime.bigint() - startedAt) / calls;
}
