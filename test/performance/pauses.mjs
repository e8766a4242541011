// Preloaded into n8n: notes each pause of its event loop, as its beginning and its end in milliseconds since 1970, with
// the milliseconds of processor time that it took, which don't depend on what else the machine does.
import { appendFileSync } from 'node:fs';

const INTERVAL_MS = 10;
const SHORTEST_MS = 30;

const cpuMs = () => {
	const { user, system } = process.threadCpuUsage();
	return (user + system) / 1_000;
};

let before = Date.now();
let cpuBefore = cpuMs();
setInterval(() => {
	const now = Date.now();
	const isPause = now - before > SHORTEST_MS;
	if (isPause) appendFileSync(`${process.env.PAUSES_FILE}`, `${before} ${now} ${cpuMs() - cpuBefore}\n`);
	before = Date.now();
	cpuBefore = cpuMs();
}, INTERVAL_MS).unref();
