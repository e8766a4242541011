import { clock, isWithin } from '../../utils/clock';
import type { SavedState } from './staticData';
import { BEFORE_ANY_PERSON_MS, KILLED_PUBLISH_MS, REPUBLISH_MS, STARTING_MS } from './timing';

/**
 * A point in time, by the clock (in milliseconds since 1970) and by the uptime of this process. The clock may be set
 * back, and the uptime may stand still while the computer sleeps.
 */
interface Moment {
	at: number;
	uptime: number;
}

const present = (): Moment => ({ at: Date.now(), uptime: clock.uptime() });

/** Whether this moment is so long ago that a publish now can't be another try of the publish of that moment. */
const isLongAgo = ({ at, uptime }: Moment) =>
	Date.now() - at >= REPUBLISH_MS || clock.uptime() - uptime >= REPUBLISH_MS;

/** Whether n8n has the trigger published, as far as this process is told. */
export class Publication {
	/** The production URL while the trigger is published and has one. */
	url: string | undefined;

	/** When n8n took the trigger down, to unpublish it or to publish a change. Undefined while it is published. */
	private takenDown: Moment | undefined;

	/** Set while this process watches the trigger. */
	private watch: AbortController | undefined;

	/** A publish that has not succeeded: the trigger is down, though a person wants it published. */
	private attempt: (Moment & { url: string | undefined }) | undefined;

	/** Set if n8n's last call with the mode `update` came from a long start of n8n (`startsLate`): surely, or perhaps. */
	private lateStart: 'sure' | 'doubtful' | undefined;

	/** When an earlier process took the trigger down, if static data says so, in milliseconds since 1970. */
	takenDownBefore: number | undefined;

	/** Whether that process took the trigger down for good, and not to publish a change. */
	wasUnpublished = false;

	/** Whether a look was the last to save static data. Then the trigger was published when n8n stopped. */
	wasWatched = false;

	/** Whether the start that `startsLate` found may be a publish after all. Then Argyle's subscription may tell. */
	get isDoubtfulStart(): boolean {
		return this.lateStart === 'doubtful';
	}

	/** Called when the trigger loads static data: from then on, this process knows better than static data. */
	load({ takenDownAt, isSavedByLook }: SavedState): void {
		this.takenDownBefore = takenDownAt;
		// Nobody has wanted events since then, unless n8n was killed while it published a change.
		this.wasUnpublished = takenDownAt !== undefined && !isWithin(KILLED_PUBLISH_MS, takenDownAt, Date.now());
		this.wasWatched = isSavedByLook === true;
	}

	/** Since when nobody wants the trigger published, in milliseconds since 1970; undefined while somebody does. */
	get unwantedSince(): number | undefined {
		return this.attempt === undefined ? this.takenDown?.at : undefined;
	}

	/** Whether this process watches the trigger. Only n8n's main process does. */
	get isWatchedHere(): boolean {
		return this.watch !== undefined;
	}

	/**
	 * Ends the previous watch. If only the hooks of a publish failed, n8n leaves the watch of that publish running, and
	 * never closes it. This watch would go on with its old settings, and undo what the new watch registers.
	 */
	beginWatch(watch: AbortController): void {
		this.watch?.abort();
		this.watch = watch;
	}

	endWatch(watch: AbortController): void {
		watch.abort();
		if (this.watch !== watch) return;
		this.watch = undefined;
		this.noteTakenDown();
	}

	/**
	 * Notes that n8n has closed the URL. n8n also does that between the tries of a publish, but these tries end within
	 * minutes.
	 */
	closeUrl(url: string): void {
		const { attempt } = this;
		if (attempt?.url === url && isLongAgo(attempt)) {
			this.attempt = undefined;
			this.takenDown = present();
		}
		if (this.url !== url) return;
		this.url = undefined;
		this.noteTakenDown();
	}

	/** A publish has begun; until `succeed` it counts as one that has failed. */
	begin(url?: string): void {
		this.attempt = { url, ...present() };
	}

	/** The trigger is published. It has a production URL unless it only checks for events. */
	succeed(url?: string): void {
		this.url = url;
		this.attempt = undefined;
		this.takenDown = undefined;
	}

	/**
	 * Whether a publish is a new beginning, and not a change of a published trigger. It is one in two cases:
	 *
	 * - The workflow was unpublished. Then n8n says `activate` or `create`.
	 * - The workflow stayed published, in a version without the trigger, or with the trigger disabled. Then n8n says
	 *   `update`, as for a change. But for a change, n8n takes the trigger down for a moment only. So it is a new
	 *   beginning if the trigger was taken down long ago. It is also one if this process does not know the trigger,
	 *   because n8n calls every published trigger when it starts.
	 */
	isNewBeginning(activationMode: string): boolean {
		if (activationMode !== 'update') return ['activate', 'create'].includes(activationMode);
		if (this.isHere) return false;
		const { attempt, takenDown } = this;
		// Between two tries of a publish, n8n takes the trigger down, but calls `delete` only for a trigger with a URL.
		if (attempt !== undefined && attempt.url === undefined) return false;
		const last = attempt ?? takenDown;
		return last === undefined || isLongAgo(last);
	}

	/**
	 * Whether n8n publishes the trigger as `update` only because n8n's own start takes long. During a long start, n8n
	 * publishes every ten seconds, as `update`, all triggers that it has not started yet. `isSaved` says whether static
	 * data knows the trigger. With a subscription, `takenDownAt` of static data does not count: another trigger may have
	 * set it back, and Argyle can be asked.
	 */
	startsLate(isSaved: boolean, isPolling: boolean): boolean {
		const isKnown = this.isHere || this.attempt !== undefined || this.takenDown !== undefined;
		if (!isKnown) {
			const uptime = clock.uptime();
			const isSure = uptime <= BEFORE_ANY_PERSON_MS;
			const mayBeStart = uptime <= STARTING_MS && !(isPolling && this.takenDownBefore !== undefined);
			const found = isSure ? 'sure' : mayBeStart ? 'doubtful' : undefined;
			this.lateStart = isSaved ? found : undefined;
		}
		return this.lateStart !== undefined;
	}

	private get isHere(): boolean {
		return this.watch !== undefined || this.url !== undefined;
	}

	/** Called when nothing of the trigger is active any more. */
	private noteTakenDown(): void {
		if (this.isHere) return;
		this.takenDown ??= present();
		this.lateStart = undefined;
	}
}
