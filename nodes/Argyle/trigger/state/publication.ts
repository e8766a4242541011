import { clock } from '../../utils/clock';
import { BOOTING_MS, GOES_ON_MS } from './timing';

/**
 * A point in time, by the clock (in milliseconds since 1970) and by the uptime of this process. The clock may be set
 * back, and the uptime may stand still while the computer sleeps.
 */
interface Moment {
	at: number;
	uptime: number;
}

const isLongAgo = ({ at, uptime }: Moment) => Date.now() - at >= GOES_ON_MS || clock.uptime() - uptime >= GOES_ON_MS;

/** n8n listens at `url`, or this process watches the trigger, or both. */
interface Up {
	readonly name: 'up';
	/** The production URL. */
	readonly url?: string;
	readonly watch?: AbortController;
	/** Whether the trigger is up because n8n has booted, and not because a person has published it. */
	readonly isBoot: boolean;
}

interface Down {
	readonly name: 'down';
	readonly since: Moment;
}

/**
 * Whether n8n has the trigger published, as far as this process is told:
 *
 *     unknown ──raise──▶ up ──takeDown──▶ down
 *                        ▲                  │
 *                        └──────raise───────┘
 *
 * - unknown: this process has not been told of the trigger.
 * - up: n8n has booted with it, or published it. After a publish that failed for its hooks alone, only the watch is up.
 * - down: n8n has taken it down, to unpublish it, to publish a change, or to let another main process lead.
 */
export class Publication {
	private mode: { readonly name: 'unknown' } | Up | Down = { name: 'unknown' };

	/** The production URL while the trigger is published and has one. */
	get url(): string | undefined {
		return this.mode.name === 'up' ? this.mode.url : undefined;
	}

	/** Whether this process watches the trigger. Only n8n's main process does. */
	get isWatchedHere(): boolean {
		return this.mode.name === 'up' && this.mode.watch !== undefined;
	}

	/**
	 * Whether a publish goes on where the trigger was: this process knows the trigger, and did not take it down more than
	 * five minutes ago. n8n needs 84 s at most to publish a change, with all of its five tries.
	 */
	get goesOn(): boolean {
		const { mode } = this;
		return mode.name === 'up' || (mode.name === 'down' && !isLongAgo(mode.since));
	}

	/**
	 * Whether n8n calls because it starts, or because this process becomes its leader, and not because a person publishes.
	 * During a long start, n8n publishes every ten seconds, as `update`, all triggers that it has not started yet. So for
	 * some minutes that is a start, if `isSaved`: if static data knows the trigger.
	 */
	isBoot(activationMode: string, isSaved: boolean): boolean {
		if (activationMode !== 'update') return ['init', 'leadershipChange'].includes(activationMode);
		const isLate = this.mode.name === 'unknown' && isSaved && clock.uptime() <= BOOTING_MS;
		if (isLate) this.raise({ isBoot: true });
		return this.mode.name === 'up' && this.mode.isBoot;
	}

	/** n8n listens at the URL. */
	openUrl(url: string): void {
		this.raise({ url });
	}

	closeUrl(url: string): void {
		if (this.mode.name !== 'up' || this.mode.url !== url) return;
		if (this.mode.watch === undefined) this.takeDown();
		else this.mode = { ...this.mode, url: undefined };
	}

	/**
	 * Ends the previous watch. If only the hooks of a publish failed, n8n leaves the watch of that publish running, and
	 * never closes it. This watch would go on with its old settings, and undo what the new watch registers.
	 */
	beginWatch(watch: AbortController): void {
		if (this.mode.name === 'up') this.mode.watch?.abort();
		this.raise({ watch });
	}

	/** Without its watch the trigger is down here: n8n may have made another main process its leader, which goes on. */
	endWatch(watch: AbortController): void {
		watch.abort();
		if (this.mode.name === 'up' && this.mode.watch === watch) this.takeDown();
	}

	private raise(more: Partial<Up>): void {
		const before = this.mode.name === 'up' ? this.mode : { isBoot: false };
		this.mode = { ...before, ...more, name: 'up' };
	}

	private takeDown(): void {
		this.mode = { name: 'down', since: { at: Date.now(), uptime: clock.uptime() } };
	}
}
