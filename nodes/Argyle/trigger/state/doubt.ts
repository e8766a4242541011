import type { ListedRecord } from './listedRecord';
import type { Bookmark, SavedState } from './staticData';

/**
 * What this process does not know after a start of n8n, or with another API key:
 *
 * - `trigger`: whether this n8n has run the trigger before.
 * - `account`: whether the account is the same.
 * - An event's name: since when this event is chosen.
 */
export type Doubt = string;

/**
 * The ID of a form that does not exist. If n8n's processed values have it, this n8n has run the trigger, whatever
 * static data says.
 */
export const TRIGGER_MARK = '00000000-0000-4000-8000-000000000000';

/**
 * Returns the mark of a doubt. It is a made-up key that is recorded with the events in doubt. If n8n's processed values
 * had the mark before, that resolves every doubt but `account`.
 */
export const markOf = (doubt: Doubt) =>
	['trigger', 'account'].includes(doubt) ? TRIGGER_MARK : `${TRIGGER_MARK} ${doubt}`;

/**
 * A doubt whether earlier events count, after a start of n8n or with another API key. Only n8n's processed values, its
 * durable store, can resolve it.
 */
export class OpenDoubt {
	readonly about: Doubt;

	/** The API key that was used before, and its credential. */
	private readonly before: Pick<Bookmark, 'keyDigest' | 'credential'> | undefined;

	/** When the doubt began, by n8n's clock. */
	private readonly at: number;

	/** The same by Argyle's clock. Undefined until the first look. */
	private time: number | undefined;

	/** The events that the first look has shown with a date in the future. They happened before the doubt began. */
	private ahead: Set<string> | undefined;

	constructor(about: 'trigger' | 'account', at: number, before?: OpenDoubt['before']) {
		this.about = about;
		this.at = at;
		this.before = before && { keyDigest: before.keyDigest, credential: before.credential };
	}

	/** For a credential that was chosen after n8n had started: which API key was used before is not known. */
	static aboutCredential(credential: string, at: number): OpenDoubt {
		return new OpenDoubt('account', at, { keyDigest: 'none', credential });
	}

	isAbout({ key, createdAt, begunAt = createdAt }: Pick<ListedRecord, 'key' | 'createdAt' | 'begunAt'>): boolean {
		return begunAt <= (this.time ?? -Infinity) || this.ahead?.has(key) === true;
	}

	/** As `Trigger.noteShown`. */
	noteShown(events: readonly ListedRecord[], serviceTime: number, latestServiceTime: number): void {
		const ahead = events.filter(({ createdAt }) => createdAt > latestServiceTime);
		this.time ??= serviceTime - (Date.now() - this.at);
		this.ahead ??= new Set(ahead.map(({ key }) => key));
	}

	/** Returns the state with parts left out or set back, so that the doubt begins again after the next start of n8n. */
	withDoubt(state: SavedState): SavedState {
		const { registered, bookmark } = state;
		if (this.about === 'trigger') return { ...state, owner: undefined };
		return {
			...state,
			registered: registered && { url: registered.url },
			bookmark: bookmark && { ...bookmark, ...this.before },
		};
	}

	/**
	 * Whether this doubt is resolved by an execution that has resolved a doubt about `about`. n8n was asked for this
	 * execution at `askedAt`. If that was before this doubt began, the execution proves nothing.
	 */
	isResolvedBy(about: Doubt, askedAt: number): boolean {
		return this.about === about && this.at <= askedAt;
	}

	/** Whether what happened at `time`, in milliseconds since 1970, is in doubt. */
	covers(time: number): boolean {
		return time < (this.time ?? this.at);
	}
}
