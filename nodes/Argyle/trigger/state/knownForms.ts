import type { IDataObject } from 'n8n-workflow';

import { LATENESS_MS } from '../../api/creationOrder';
import { isWithin } from '../../utils/clock';
import { LruMap } from '../../utils/lruMap';
import type { Bookmark } from './staticData';
import { HELD_BACK_MS, MAX_FORM_AGE_MS, UNLISTED_MS } from './timing';

/** As many forms the bookmark may stay behind: static data can name them. */
const MAX_BEHIND = 500;

/** More forms than n8n can run between two looks. */
const MAX_UNLISTED = 10_000;

/** A form of the account's list. */
export interface ListedForm {
	id: string;
	account: string;
	/** Milliseconds since 1970, by Argyle's clock. */
	createdAt: number;
	record: IDataObject;
}

/** For `sort`, the oldest first. Forms that were submitted in the same millisecond come in the order of their IDs. */
export function byAge(one: ListedForm, other: ListedForm): number {
	return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}

/** A place in the list of forms. */
export type Position = Pick<Bookmark, 'time' | 'form'>;

/** An execution for a form. */
interface Start {
	/** When n8n had stored it, or was asked for it. */
	since: number;
	hasBegun: boolean;
}

interface Entry {
	readonly form: ListedForm;
	start?: Start;
}

const positionOf = ({ form: { createdAt, id } }: Entry): Position => ({ time: createdAt, form: id });

function isAfter({ time, form }: Position, { createdAt, id }: ListedForm): boolean {
	return createdAt > time || (createdAt === time && form !== undefined && id > form);
}

/**
 * What this process knows of the forms of one trigger: which Argyle's list has shown, and which of them have started
 * the workflow. All times in milliseconds since 1970, `createdAt` by Argyle's clock, the others by n8n's.
 */
export class KnownForms {
	/** The forms that the list has shown, oldest first. */
	private listed: Entry[] = [];

	private readonly listedById = new Map<string, Entry>();

	/** The executions for forms that the list has not shown. */
	private readonly unlisted = new LruMap<Start>(MAX_UNLISTED);

	/** Forms up to here are forgotten; what appears there later is too late. */
	private horizon: Position = { time: -Infinity };

	private newest = -Infinity;

	/** So many of the listed forms, from the oldest on, have started the workflow. */
	private startedCount = 0;

	/** Forgets what was listed: only forms after this place count. */
	startAt({ time, form }: Position): void {
		this.listed = [];
		this.listedById.clear();
		this.horizon = { time, form };
		this.newest = -Infinity;
		this.startedCount = 0;
	}

	/** Adds what a reading of the list has shown. */
	list(forms: readonly ListedForm[]): void {
		for (const { createdAt } of forms) this.newest = Math.max(this.newest, createdAt);
		for (const form of forms) {
			// Asked for each, because one reading can bring a form twice: pages shift while they are read.
			if (this.listedById.has(form.id)) continue;
			const entry = { form, start: this.unlisted.get(form.id) };
			this.unlisted.delete(form.id);
			if (this.isForgotten(form) || this.isTooOld(form)) continue;
			this.listedById.set(form.id, entry);
			this.listed.push(entry);
		}
		this.listed.sort(({ form: one }, { form: other }) => byAge(one, other));
		this.startedCount = 0;
	}

	/** The listed forms that have not started the workflow, the oldest first. */
	missing(): ListedForm[] {
		const isMissing = ({ form, start }: Entry) => start === undefined && !this.isTooOld(form);
		return this.listed.filter(isMissing).map(({ form }) => form);
	}

	/** Whether an execution for the form was stored, asked for, or has begun. */
	has(id: string): boolean {
		return this.startOf(id) !== undefined;
	}

	/** Whether the form lies where none counts any more, as one does that has begun long ago. */
	isForgotten(form: ListedForm): boolean {
		return !isAfter(this.horizon, form);
	}

	hasBegun(id: string): boolean {
		return this.startOf(id)?.hasBegun === true;
	}

	/** n8n has stored an execution for the form, or was asked for one. */
	store(id: string, now: number): void {
		if (!this.has(id)) this.set(id, { since: now, hasBegun: false });
	}

	begin(id: string, now: number): void {
		this.set(id, { since: now, hasBegun: true });
	}

	/** There is no execution for the form after all. Has no effect once one has begun. */
	forget(id: string): void {
		if (this.hasBegun(id)) return;
		const entry = this.listedById.get(id);
		if (entry !== undefined) entry.start = undefined;
		this.unlisted.delete(id);
	}

	/**
	 * Where the bookmark may be: behind the last form up to which all have started the workflow, but not so far behind
	 * the newest that a form could still appear before it, unless more than 500 forms lie between. Forgets what no form
	 * can appear before.
	 */
	advance(now: number): Position {
		while (this.isSettled(this.listed[this.startedCount], now)) this.startedCount++;
		const limit = this.newest - LATENESS_MS;
		const isLate = ({ form }: Entry, index: number) => index >= this.startedCount || form.createdAt > limit;
		const lateFrom = this.listed.findIndex(isLate);
		this.forgetFirst(lateFrom === -1 ? this.listed.length : lateFrom);
		const behind = this.listed[this.startedCount - MAX_BEHIND - 1];
		return behind === undefined ? this.horizon : positionOf(behind);
	}

	/** The forms after the bookmark whose execution has begun. */
	begun(): string[] {
		const entries = this.listed.slice(Math.max(0, this.startedCount - MAX_BEHIND));
		const listed = entries.filter(({ start }) => start?.hasBegun === true).map(({ form }) => form.id);
		return [...listed, ...this.unlisted.keys().filter((id) => this.hasBegun(id))];
	}

	private startOf(id: string): Start | undefined {
		return this.listedById.get(id)?.start ?? this.unlisted.get(id);
	}

	private set(id: string, start: Start): void {
		const entry = this.listedById.get(id);
		if (entry !== undefined) {
			entry.start = start;
			return;
		}
		this.unlisted.deleteOldestWhile(({ since }) => !isWithin(UNLISTED_MS, since, start.since));
		this.unlisted.set(id, start);
	}

	private isTooOld({ createdAt }: ListedForm): boolean {
		return createdAt <= this.newest - MAX_FORM_AGE_MS;
	}

	/** An execution that n8n has stored, and holds back, counts after a while: it is not lost then. */
	private isSettled(entry: Entry | undefined, now: number): boolean {
		if (entry === undefined) return false;
		const { form, start } = entry;
		if (start === undefined) return this.isTooOld(form);
		return start.hasBegun || !isWithin(HELD_BACK_MS, start.since, now);
	}

	private forgetFirst(count: number): void {
		const forgotten = this.listed.splice(0, count);
		for (const { form } of forgotten) this.listedById.delete(form.id);
		const last = forgotten.at(-1);
		if (last !== undefined) this.horizon = positionOf(last);
		this.startedCount -= count;
	}
}
