// Preloaded into n8n: stops it when its parent process is gone. However that ended, by a signal or by a crash, the pipe
// to the standard input closes.
import { isMainThread } from 'node:worker_threads';

const STOP_DEADLINE_MS = 20_000;

// Worker threads load this too, and their own standard input is closed from the start.
if (isMainThread) {
	process.stdin.once('close', () => {
		process.kill(process.pid, 'SIGTERM');
		setTimeout(() => process.kill(process.pid, 'SIGKILL'), STOP_DEADLINE_MS);
	});
	// A reset counts as closed.
	process.stdin.on('error', () => {});
	process.stdin.resume();
}
