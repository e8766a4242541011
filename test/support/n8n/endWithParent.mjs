// Preloaded into n8n: ends it when the process that started it is gone, however that ended (a signal and a crash of the
// parent included: its end of the pipe to our standard input closes in every case).
import { isMainThread } from 'node:worker_threads';

const STOP_DEADLINE_MS = 20_000;

// A worker thread loads this too, and has a standard input of its own that is closed from the start.
if (isMainThread) {
	process.stdin.once('close', () => {
		process.kill(process.pid, 'SIGTERM');
		setTimeout(() => process.kill(process.pid, 'SIGKILL'), STOP_DEADLINE_MS);
	});
	// A reset counts as closed.
	process.stdin.on('error', () => {});
	process.stdin.resume();
}
