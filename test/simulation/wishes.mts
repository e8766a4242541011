import type { Version } from './database.mts';
import type { Form } from './formList.mts';

const MINUTE = 60_000;

/**
 * Grey: who submits in the seconds of a publish can't tell whether it was before or after. And a form that did not
 * arrive is looked for every five minutes, by who is published: what was still to be caught up when the wish ended is
 * nobody's any more. n8n's own silence about an execution that it did not store costs the trigger some minutes more.
 */
const CATCH_UP_MS = 15 * MINUTE;

/** Who submits in the same seconds in which n8n begins to publish: its first request may be seconds later. */
const SECONDS_OF_A_PUBLISH_MS = 5_000;

/** "A change that is published within minutes is no end": whether this one was, nobody can know. */
const SHORT_CHANGE_MS = 10 * MINUTE;

/** What the person wants of forms. `delivered`: Catch Up is off, so what does not arrive is not missed. */
interface Wish {
	tenant: string | undefined;
	isFull: boolean;
	isPublished: boolean;
	/** The account that is to have a subscription. */
	subscribed: string | undefined;
}

interface Span extends Wish {
	from: number;
	isGrey: boolean;
}

/** What has to become of a form. */
export type Fate = 'once' | 'at most once' | 'never';

const NOTHING: Wish = { tenant: undefined, isFull: false, isPublished: false, subscribed: undefined };

function wishOf(version: Version | undefined): Wish {
	if (version === undefined) return NOTHING;
	const isOn = version.trigger === 'on' && (version.receiveBy === 'polling' || version.hasForms);
	const isFull = version.receiveBy === 'polling' || version.catchUp;
	const subscribed = version.trigger === 'on' && version.receiveBy === 'webhook' ? version.tenant : undefined;
	return { tenant: isOn ? version.tenant : undefined, isFull: isOn && isFull, isPublished: true, subscribed };
}

const isSame = (one: Wish, other: Wish) => one.tenant === other.tenant && one.isFull === other.isFull;

/** Which forms one n8n was to start the workflow for, from the side of the person who publishes it (design 6). */
export class Wishes {
	private readonly spans: Span[] = [{ ...NOTHING, from: -Infinity, isGrey: false }];

	/** When n8n last published or unpublished what needs another subscription, or none. */
	get resubscribedAt(): number {
		const before = this.spans.findLastIndex(({ subscribed }) => subscribed !== this.last.subscribed);
		return this.spans[before + 1].from;
	}

	private publishingSince = -Infinity;

	private get last(): Span {
		return this.spans[this.spans.length - 1];
	}

	/** n8n begins to publish, or to unpublish. */
	begin(now: number, version: Version | undefined): void {
		const wish = wishOf(version);
		this.publishingSince = now;
		if (this.last.isGrey) return;
		if (!isSame(this.last, wish)) this.spans.push({ ...wish, from: now - SECONDS_OF_A_PUBLISH_MS, isGrey: true });
	}

	/** A publish that failed leaves a workflow that looks published, and a person who publishes it again. */
	end(now: number, version: Version | undefined, isDone: boolean): void {
		this.spans.push({ ...wishOf(version), from: isDone ? now : this.publishingSince, isGrey: !isDone });
	}

	/** What becomes of a form; `troubles` are the times in which something was away. */
	fateOf(form: Form, troubles: Array<[from: number, to: number]>): Fate {
		const { tenant, submittedAt } = form;
		const place = this.spans.findLastIndex(({ from }) => from <= submittedAt);
		const span = this.spans[place];
		if (span.isGrey) return 'at most once';
		if (span.tenant !== tenant) return this.mayCount(place, form) ? 'at most once' : 'never';
		if (!span.isFull) return 'at most once';
		return submittedAt >= latestCaughtUp(this.endOf(place), troubles) ? 'at most once' : 'once';
	}

	/** Until when it could be caught up: a publish that fails takes the trigger down. */
	private endOf(place: number): number {
		const end = this.spans.findIndex((later, index) => index > place && !isSame(later, this.spans[place]));
		if (end === -1) return Infinity;
		const last = this.spans.findLastIndex(({ isGrey }, index) => index < end && !isGrey);
		return this.spans[last + 1].from;
	}

	/** From when on a form must not start the workflow any more that did so only if it was delivered. */
	startsUntil({ tenant, submittedAt }: Form): number {
		const place = this.spans.findLastIndex(({ from }) => from <= submittedAt);
		const span = this.spans[place];
		if (span.isGrey || span.isFull || span.tenant !== tenant || this.hasFailed(place + 1)) return Infinity;
		return (this.spans[place + 1]?.from ?? Infinity) + 2 * MINUTE;
	}

	/**
	 * A form that nobody wanted: the change was short, or the list shows the form only when the next wish has begun, or
	 * the next publish has failed, so that n8n starts the trigger, and another trigger may have set static data back.
	 */
	private mayCount(place: number, { tenant, listedAt }: Form): boolean {
		if (this.isShortChange(place, tenant)) return true;
		const next = this.spans.findIndex((span, index) => index > place && span.tenant === tenant);
		if (next === -1) return false;
		return listedAt > this.spans[next].from || this.hasFailed(next);
	}

	/** Whether it is a publish that has failed. */
	private hasFailed(place: number): boolean {
		return this.spans[place]?.isGrey && this.spans[place + 1]?.isGrey;
	}

	private isShortChange(place: number, tenant: string): boolean {
		const span = this.spans[place];
		const next = this.spans.slice(place + 1).find(({ isGrey }) => !isGrey);
		const previous = this.spans.slice(0, place).findLast(({ isGrey }) => !isGrey);
		const isShort = next !== undefined && next.from - span.from < SHORT_CHANGE_MS;
		return isShort && span.isPublished && previous?.tenant === tenant && next.tenant === tenant;
	}
}

/** What was submitted later than this may not have been caught up at `end`. */
function latestCaughtUp(end: number, troubles: Array<[from: number, to: number]>): number {
	let limit = end - CATCH_UP_MS;
	for (const [from, to] of [...troubles].sort(([, one], [, other]) => other - one))
		if (to >= limit && from <= end) limit = Math.min(limit, from - CATCH_UP_MS);
	return limit;
}
