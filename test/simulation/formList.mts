import type { Quirks } from './quirks.mts';
import type { Random } from './random.mts';
import { timeText } from './recordList.mts';
import type { Timeline } from './timeline.mts';

/** A form that somebody has submitted. */
export interface Form {
	id: string;
	account: string;
	user: string;
	tenant: string;
	/** What its record says; Argyle's clock, but for the odd form. */
	createdAt: number;
	submittedAt: number;
	/** From when on the list shows it. */
	listedAt: number;
	/** How much further back than it should be the list shows it. */
	disorderMs: number;
}

/** In which order Argyle lists forms: it documents none. `overlapping` repeats a record at the border of two pages. */
export type Order = 'newest first' | 'nearly newest first' | 'shuffled' | 'overlapping';

/** The forms of one account, and their list. */
export class FormList {
	readonly all: Form[] = [];

	readonly order: Order;

	/** What the list shows until then. */
	private shown: Form[] = [];

	private changesAt = -Infinity;

	/** The pages of what is shown, since most looks see what the last one saw. */
	private readonly pages = new Map<string, Buffer>();

	private readonly timeline: Timeline;

	private readonly random: Random;

	private readonly pageSize: number;

	private readonly quirks: Quirks;

	constructor(timeline: Timeline, random: Random, order: Order, pageSize: number, quirks: Quirks) {
		this.quirks = quirks;
		this.timeline = timeline;
		this.random = random;
		this.order = order;
		this.pageSize = pageSize;
	}

	/** The forms that the list shows now, in its order. */
	listed(): Form[] {
		if (this.timeline.now >= this.changesAt) this.shown = this.sorted();
		return this.shown;
	}

	submit(form: Form): void {
		this.all.push(form);
		this.changesAt = -Infinity;
	}

	private sorted(): Form[] {
		const { now } = this.timeline;
		const listed = this.all.filter(({ listedAt }) => listedAt <= now);
		this.changesAt = Math.min(Infinity, ...this.all.map(({ listedAt }) => listedAt).filter((at) => at > now));
		this.pages.clear();
		const disorder = this.order === 'nearly newest first' ? 1 : 0;
		const place = (form: Form) => form.createdAt - disorder * form.disorderMs;
		if (this.order === 'shuffled') return listed.sort((one, other) => (one.id < other.id ? -1 : 1));
		return listed.sort((one, other) => place(other) - place(one));
	}

	/** One page; the cursor is a row's ID, so that what comes in between shifts nothing, or a place. */
	page(url: string, query: Record<string, unknown>): Buffer {
		this.listed();
		const key = JSON.stringify([url, query]);
		const known = this.pages.get(key);
		if (known !== undefined) return known;
		const page = Buffer.from(JSON.stringify(this.makePage(url, query)));
		this.pages.set(key, page);
		return page;
	}

	private makePage(url: string, { limit, cursor }: Record<string, unknown>): object {
		const listed = this.listed();
		const { formsShift } = this.quirks;
		const place = formsShift ? Number(cursor) : listed.findIndex(({ id }) => id === cursor) + 1;
		const from = cursor === undefined ? 0 : place;
		const size = Math.min(Number(limit ?? 10), this.pageSize);
		const results = listed.slice(from, from + size);
		const last = results[results.length - (this.order === 'overlapping' && this.random.chance(0.3) ? 2 : 1)];
		const isEnd = from + size >= listed.length || last === undefined;
		const { origin, pathname } = new URL(url);
		const at = formsShift ? from + size : last?.id;
		return {
			next: isEnd ? null : `${origin}${pathname}?cursor=${at}&limit=${size}`,
			results: results.map((form) => this.recordOf(form)),
		};
	}

	recordOf({ id, account, createdAt }: Form): object {
		const time = timeText(createdAt, this.quirks.formDigits);
		return { id, account, data: { income_source: 'Bakery' }, created_at: time, updated_at: time };
	}
}
