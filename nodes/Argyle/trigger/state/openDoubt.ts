import type { ListedRecord } from './listedRecord';
import type { Doubt } from './origin';

/** What a start, or another key, has left unknown. It is about the events from before. */
export class OpenDoubt {
	readonly about: Doubt;

	/** When it began, by n8n's clock. */
	private readonly at: number;

	/** The same by Argyle's clock. Undefined until a look tells. */
	private time: number | undefined;

	/** The events that the first look has shown, dated in the future: they are from before, too. */
	private ahead: Set<string> | undefined;

	constructor(about: Doubt, at: number) {
		this.about = about;
		this.at = at;
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

	/** Whether what n8n's store told about such a doubt tells about this one, too. It was asked at `askedAt`. */
	isResolvedBy(about: Doubt, askedAt: number): boolean {
		return this.about === about && this.at <= askedAt;
	}

	/** Whether what happened at `time`, in milliseconds since 1970, is in doubt. */
	covers(time: number): boolean {
		return time < (this.time ?? this.at);
	}
}
