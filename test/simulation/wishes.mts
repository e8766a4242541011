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

/** What n8n publishes as changed so soon after its process has begun may be what its start has not come to. */
const STARTING_MS = 5 * MINUTE;

/** "A break of less than five minutes": whether this was one, nobody can know to the minute. */
const SHORT_CHANGE_MS = 10 * MINUTE;

/** A script that deactivates and activates changes nothing of what is wanted. */
const DEPLOYMENT_MS = MINUTE;

/** An event, from the side of whoever wants it or does not. */
type Event = Pick<Form, 'tenant' | 'submittedAt' | 'listedAt'>;

const isChecked = (version: Version) => version.receiveBy === 'polling';

/** Checking for Events can't find each of them. */
export const chosenOthers = (version: Version) =>
	isChecked(version) ? version.others.filter((event) => event !== 'paystubs.added') : version.others;

export const choosesForms = (version: Version) => version.hasForms || isChecked(version);

/** What the person wants of some events. `delivered`: Catch Up is off, so what does not arrive is not missed. */
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
	/** Whether a trigger came back while n8n may still have been starting. */
	isLikeStart?: boolean;
	/** Whether a publish has failed, so that the trigger is down. */
	isDown?: boolean;
}

/** What has to become of a form. */
export type Fate = 'once' | 'at most once' | 'never';

const NOTHING: Wish = { tenant: undefined, isFull: false, isPublished: false, subscribed: undefined };

function wishOf(version: Version | undefined, isChosen: (version: Version) => boolean): Wish {
	if (version === undefined) return NOTHING;
	const isOn = version.trigger === 'on' && isChosen(version);
	const isFull = isChecked(version) || version.catchUp;
	const subscribed = version.trigger === 'on' && !isChecked(version) ? version.tenant : undefined;
	return { tenant: isOn ? version.tenant : undefined, isFull: isOn && isFull, isPublished: true, subscribed };
}

const isSame = (one: Wish, other: Wish) => one.tenant === other.tenant && one.isFull === other.isFull;

/**
 * For which events of one kind an n8n was to start the workflow, from the side of the person who publishes it (design
 * 6, 18).
 */
class Wishes {
	private readonly spans: Span[] = [{ ...NOTHING, from: -Infinity, isGrey: false }];

	private readonly isChosen: (version: Version) => boolean;

	constructor(isChosen: (version: Version) => boolean) {
		this.isChosen = isChosen;
	}

	/** From when to when n8n last published or unpublished what needs no subscription in the account any more. */
	unsubscribed(tenant: string): { from: number; to: number } {
		const last = this.spans.findLastIndex(({ subscribed }) => subscribed === tenant);
		const done = this.spans.find(({ isGrey }, index) => index > last && !isGrey);
		return { from: (this.spans[last + 1] ?? this.last).from, to: (done ?? this.last).from };
	}

	/** Whether the wish was the same all the time. */
	isSteady(from: number, to: number): boolean {
		const first = this.spans.findLast((span) => span.from <= from);
		const spans = this.spans.filter((span) => span.from > from && span.from <= to);
		return first !== undefined && [first, ...spans].every((span) => !span.isGrey && isSame(span, first));
	}

	/** Whether what was wanted then needed a subscription. */
	isSubscribed(at: number): boolean {
		return this.spans.findLast(({ from }) => from <= at)?.subscribed !== undefined;
	}

	/** Whether the wish was, for some time, one for what is delivered alone. */
	isForDelivered(from: number, to: number): boolean {
		return this.spans.some((span, index) => {
			const end = this.spans[index + 1]?.from ?? Infinity;
			return span.tenant !== undefined && !span.isFull && span.from < to && end > from;
		});
	}

	private publishingSince = -Infinity;

	/** From the beginnings of publishes that n8n was killed in to the next ones. */
	private readonly killed: Array<[from: number, to: number]> = [];

	private isPublishing = false;

	private processSince = -Infinity;

	private get last(): Span {
		return this.spans[this.spans.length - 1];
	}

	/** n8n begins to publish, or to unpublish. */
	begin(now: number, version: Version | undefined, startedAt: number): void {
		const isLikeStart = version !== undefined && now - startedAt < STARTING_MS;
		const wish = { ...wishOf(version, this.isChosen), isLikeStart };
		const wasKilled = this.isPublishing;
		if (wasKilled) this.killed.push([this.publishingSince, now]);
		this.isPublishing = true;
		this.publishingSince = now;
		this.processSince = startedAt;
		if (this.last.isGrey && wasKilled) this.spans.push({ ...wish, from: now, isGrey: true });
		if (this.last.isGrey) return;
		if (!isSame(this.last, wish)) this.spans.push({ ...wish, from: now - SECONDS_OF_A_PUBLISH_MS, isGrey: true });
	}

	/** A publish that failed leaves a workflow that looks published, and a person who publishes it again. */
	end(now: number, version: Version | undefined, isDone: boolean): void {
		this.isPublishing = false;
		const wish = wishOf(version, this.isChosen);
		const { last } = this;
		const isUnchanged = isSame(last, wish) && last.isPublished === wish.isPublished;
		if (isDone && !last.isGrey && isUnchanged && last.subscribed === wish.subscribed) return;
		if (isDone && this.isDeployed(now, wish)) this.spans.length = this.spans.length - 3;
		else this.spans.push({ ...wish, from: isDone ? now : this.publishingSince, isGrey: !isDone, isDown: !isDone });
	}

	/** Whether the same wish ended moments ago, in the same process: unpublishing, unpublished, and publishing. */
	private isDeployed(now: number, wish: Wish): boolean {
		const [before, ...between] = this.spans.slice(-4);
		const isKnown = before?.subscribed === wish.subscribed && isSame(before, wish) && !before.isGrey;
		const isShort = between.length === 3 && now - between[0].from < DEPLOYMENT_MS;
		const isOff = isShort && !between[1].isGrey && !between[1].isPublished;
		return isKnown && isOff && this.processSince < between[0].from;
	}

	/** What becomes of an event; `troubles` are the times in which something was away. */
	fateOf(form: Event, troubles: Array<[from: number, to: number]>): Fate {
		const { tenant, submittedAt } = form;
		const place = this.spans.findLastIndex(({ from }) => from <= submittedAt);
		const span = this.spans[place];
		if (span.isGrey) return 'at most once';
		if (span.tenant !== tenant) return this.mayCount(place, form) ? 'at most once' : 'never';
		if (!span.isFull) return 'at most once';
		const awayTimes = [...troubles, ...this.downTimes];
		return submittedAt >= latestCaughtUp(this.endOf(place), awayTimes) ? 'at most once' : 'once';
	}

	/** Whether n8n was killed in a publish while it may have been to be caught up. */
	wasKilled({ submittedAt }: Event): boolean {
		return this.killed.some(([from, to]) => submittedAt >= from - CATCH_UP_MS && submittedAt <= to);
	}

	/** Whether a publish has failed. */
	get hasFailedPublish(): boolean {
		return this.downTimes.length > 0;
	}

	/** From each publish that failed to the next one. */
	private get downTimes(): Array<[from: number, to: number]> {
		return this.spans.flatMap(
			({ from, isDown }, place): Array<[number, number]> =>
				isDown === true ? [[from, this.spans[place + 1]?.from ?? Infinity]] : [],
		);
	}

	/** Until when it could be caught up: a publish that fails takes the trigger down. */
	private endOf(place: number): number {
		const end = this.spans.findIndex((later, index) => index > place && !isSame(later, this.spans[place]));
		if (end === -1) return Infinity;
		const last = this.spans.findLastIndex(({ isGrey }, index) => index < end && !isGrey);
		return this.spans[last + 1].from;
	}

	/** From when on a form must not start the workflow any more that did so only if it was delivered. */
	startsUntil({ tenant, submittedAt }: Event): number {
		const place = this.spans.findLastIndex(({ from }) => from <= submittedAt);
		const span = this.spans[place];
		if (span.isGrey || span.isFull || span.tenant !== tenant || this.hasFailed(place + 1)) return Infinity;
		return (this.spans[place + 1]?.from ?? Infinity) + 2 * MINUTE;
	}

	/**
	 * A form that nobody wanted: the change was short, or the list shows the form only when the next wish has begun, which
	 * may look like a start of n8n, or the next publish has failed, so that n8n starts the trigger, and another trigger
	 * may have set static data back.
	 */
	private mayCount(place: number, { tenant, listedAt }: Event): boolean {
		if (this.isShortChange(place, tenant)) return true;
		const next = this.spans.findIndex((span, index) => index > place && span.tenant === tenant);
		if (next === -1) return false;
		return listedAt > this.spans[next].from || this.spans[next].isLikeStart === true || this.hasFailed(next);
	}

	/** Whether it is a publish that has failed, or was killed. */
	private hasFailed(place: number): boolean {
		return this.spans[place]?.isGrey && this.spans[place + 1]?.isGrey;
	}

	private isShortChange(place: number, tenant: string): boolean {
		const span = this.spans[place];
		const next = this.spans.slice(place + 1).find(({ isGrey }) => !isGrey);
		const previous = this.spans.slice(0, place).findLast(({ isGrey }) => !isGrey);
		// The publish after it may have failed, so that it ended then.
		const isShort = next !== undefined && this.spans[place + 1].from - span.from < SHORT_CHANGE_MS;
		return isShort && previous?.tenant === tenant && next.tenant === tenant;
	}
}

/** The wishes for all events, which begin and end when something is published. */
export class WishesOfAll {
	readonly forms = new Wishes(choosesForms);

	/** Of all together: a world chooses the same ones all the time. */
	readonly others = new Wishes((version) => chosenOthers(version).length > 0);

	unsubscribed(tenant: string): { from: number; to: number } {
		return this.forms.unsubscribed(tenant);
	}

	/** n8n's process began at `startedAt`. */
	begin(now: number, version: Version | undefined, startedAt = -Infinity): void {
		for (const wishes of [this.forms, this.others]) wishes.begin(now, version, startedAt);
	}

	end(now: number, version: Version | undefined, isDone: boolean): void {
		for (const wishes of [this.forms, this.others]) wishes.end(now, version, isDone);
	}
}

/** What was submitted later than this may not have been caught up at `end`. */
function latestCaughtUp(end: number, troubles: Array<[from: number, to: number]>): number {
	let limit = end - CATCH_UP_MS;
	for (const [from, to] of [...troubles].sort(([, one], [, other]) => other - one))
		if (to >= limit && from <= end) limit = Math.min(limit, from - CATCH_UP_MS);
	return limit;
}
