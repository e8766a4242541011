import { readFileSync, writeFileSync } from 'node:fs';

/** Memory of a process in MiB (man 5 proc, /proc/pid/status). */
function memory(pid: number, field: 'VmRSS' | 'VmHWM'): number {
	const kib = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
	return Number(kib) / 1024;
}

/** V8 sizes its heap by the machine's memory and frees late: a bounded heap shows what is really needed. */
export const HEAPS = new Map<string, Record<string, string>>([
	['default', {}],
	['512 MiB', { NODE_OPTIONS: '--max-old-space-size=512' }],
]);

/** Resident memory of a process in MiB. */
export const residentMemory = (pid: number) => memory(pid, 'VmRSS');

/** Highest resident memory, in MiB, that a process had while `work` was done. */
export async function peakMemoryDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
	// Resets the peak to what is resident now.
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
	await work();
	return memory(pid, 'VmHWM');
}
