import { readFileSync, writeFileSync } from 'node:fs';

/** Takes a process's id; gives a figure of its memory (man 5 proc, /proc/pid/status) in MiB. */
function figure(pid: number, name: 'VmRSS' | 'VmHWM'): number {
	const kib = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
	return Number(kib) / 1024;
}

/** Takes a process's id; gives its resident memory, in MiB. */
export const residentMemory = (pid: number) => figure(pid, 'VmRSS');

/** Does some work; gives the most resident memory that a process had meanwhile, in MiB. */
export async function peakDuring(pid: number, work: () => Promise<unknown>): Promise<number> {
	// Sets the peak back to what is resident now.
	writeFileSync(`/proc/${pid}/clear_refs`, '5');
	await work();
	return figure(pid, 'VmHWM');
}
