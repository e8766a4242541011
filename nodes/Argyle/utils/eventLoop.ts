import { clock } from './clock';

/** Argyle waits ten seconds for the answer to a delivery, and other workflows run in the same process. */
const MAX_HELD_MS = 50;

/**
 * For work that goes on without waiting, such as reading the rows of a list. While it runs, n8n answers nobody. So the
 * work calls `breathe` between its steps.
 */
export class EventLoopTurn {
	private beganAt = clock.uptime();

	/** Lets n8n answer others, if the work has held the event loop for some time. */
	async breathe(): Promise<void> {
		if (clock.uptime() - this.beganAt < MAX_HELD_MS) return;
		await clock.pause(0);
		this.beganAt = clock.uptime();
	}
}
