import type { ListedRecord } from './listedRecord';
import type { Doubt } from './origin';
import type { Bookmark, SavedState } from './staticData';

/** What a start, or another key, has left unknown. It is about the events from before. */
export class OpenDoubt {
	readonly about: Doubt;

	/** Whose events were wanted before another key. */
	private readonly before: Pick<Bookmark, 'keyDigest' | 'credential'> | undefined;

	/** When it began, by n8n's clock. */
	private readonly at: number;

	/** The same by Argyle's clock. Undefined until a look tells. */
	private time: number | undefined;

	/** The events that the first look has shown, dated in the future: they are from before, too. */
	private ahead: Set<string> | undefined;

	constructor(about: 'trigger' | 'account', at: number, before?: Bookmark) {
		this.about = about;
		this.at = at;
		this.before = before && { keyDigest: before.keyDigest, credential: before.credential };
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

	/** What static data has to say until the doubt ends, so that another start doubts as well. */
	withDoubt(state: SavedState): SavedState {
		const { registered, bookmark } = state;
		if (this.about === 'trigger') return { ...state, owner: undefined };
		return {
			...state,
			registered: registered && { url: registered.url },
			bookmark: bookmark && { ...bookmark, ...this.before },
		};
	}

	/** Whether what n8n's store told about such a doubt tells about this one, too. It was asked at `askedAt`. */
	isResolvedBy(about: Doubt, askedAt: number): boolean {
		return this.about === about && this.at <= askedAt;
	}

	/** Whether what happened at `time`, in milliseconds since 1970, is in doubt. */
	covers(time: number): boolean {
		return time < (this.time ?? this.at);
	}
}
