import type { IDataObject } from 'n8n-workflow';

import { listOf, USER_FORMS } from '../../api/collections';
import { pagesOf } from '../../api/pagination';
import type { ArgyleClient } from '../../transport/client';
import { isWithin } from '../../utils/elapsed';
import { isUuid } from '../../utils/uuid';

/** A form of the account's list. */
export interface ListedForm {
	id: string;
	account: string;
	/** Milliseconds since 1970, by Argyle's clock. */
	createdAt: number;
	record: IDataObject;
}

/** How far back missed forms are looked for. */
const MAX_AGE_MS = 7 * 86_400_000;

/** Of 200 forms each, when the list is not newest first. */
const MAX_PAGES = 50;

/** Argyle sends a form within seconds, and once more after 30 s; until then it is not missed yet. */
export const DELIVERY_TIME_MS = 35_000;

/** A form this old is no longer on its way. By n8n's clock, which decides nothing but how soon it starts. */
const OLD_MS = 120_000;

/** The bookmark stays this far behind: n8n may still hold an execution back that it has stored. */
const BOOKMARK_DELAY_MS = 600_000;

function toForm(record: IDataObject): ListedForm | undefined {
	const { id, account, created_at: createdAt } = record;
	const time = Date.parse(String(createdAt));
	if (!isUuid(id) || typeof account !== 'string' || Number.isNaN(time)) return undefined;
	return { id, account, createdAt: time, record };
}

/** The list of an account's forms, read page by page as far back as one of its triggers needs it. */
export class FormList {
	readonly forms: ListedForm[] = [];

	private newest = -Infinity;

	private isNewestFirst = true;

	private pageCount = 0;

	private isAtEnd = false;

	private readonly pages: AsyncGenerator<IDataObject[], void>;

	private reading: Promise<unknown> = Promise.resolve();

	constructor(client: ArgyleClient) {
		this.pages = pagesOf(client, listOf(USER_FORMS));
	}

	/**
	 * Reads until every form since `time` is known, a week at most before the newest. Returns whether that is so: a list
	 * in another order than newest first may have too many pages. Throws ArgyleError.
	 */
	async readBackTo(time: number): Promise<boolean> {
		const reading = this.reading.then(async () => await this.read(time));
		this.reading = reading;
		return await reading;
	}

	private async read(time: number): Promise<boolean> {
		while (!this.isAtEnd && !this.reaches(time)) {
			if (!this.isNewestFirst && this.pageCount >= MAX_PAGES) return false;
			const page = await this.pages.next();
			if (page.done === true) this.isAtEnd = true;
			else this.add(page.value);
		}
		return true;
	}

	/** Throws ArgyleError. */
	async newestForm(): Promise<ListedForm | undefined> {
		await this.readBackTo(Infinity);
		return this.forms.find(({ createdAt }) => createdAt === this.newest);
	}

	/** The earliest time back to which forms are looked for. */
	earliest(): number {
		return this.newest - MAX_AGE_MS;
	}

	private reaches(time: number): boolean {
		const last = this.forms.at(-1);
		return this.isNewestFirst && last !== undefined && last.createdAt <= Math.max(time, this.earliest());
	}

	private add(records: IDataObject[]): void {
		this.pageCount++;
		for (const form of records.map(toForm).filter((listed) => listed !== undefined)) {
			const previous = this.forms.at(-1);
			if (previous !== undefined && previous.createdAt < form.createdAt) this.isNewestFirst = false;
			this.newest = Math.max(this.newest, form.createdAt);
			this.forms.push(form);
		}
	}
}

interface Missed {
	/** To be started now, the oldest first. */
	ready: ListedForm[];
	/** Whether some may still be on their way. */
	hasYoung: boolean;
	/** Once the ready ones are started. */
	nextBookmark: number;
}

/**
 * Which forms after the bookmark have not started the workflow. `firstSeen` holds since when this process has known of
 * those that may be on their way, for `deliveryTimeMs`, and is updated. Times in milliseconds since 1970.
 */
export function missedForms(
	list: Pick<FormList, 'forms' | 'earliest'>,
	bookmark: number,
	isKnown: (id: string) => boolean,
	firstSeen: Map<string, number>,
	deliveryTimeMs: number,
	now: number,
): Missed {
	const since = Math.max(bookmark, list.earliest());
	const unknown = list.forms.filter(({ id, createdAt }) => createdAt > since && !isKnown(id));
	for (const { id } of unknown) if (!firstSeen.has(id)) firstSeen.set(id, now);
	const isYoung = ({ id, createdAt }: ListedForm) =>
		now - createdAt < OLD_MS && isWithin(deliveryTimeMs, firstSeen.get(id) ?? now, now);
	const young = unknown.filter(isYoung);
	const ready = unknown.filter((form) => !isYoung(form)).sort((one, other) => one.createdAt - other.createdAt);
	const newest = Math.max(bookmark, ...list.forms.map(({ createdAt }) => createdAt - BOOKMARK_DELAY_MS));
	return {
		ready,
		hasYoung: young.length > 0,
		nextBookmark: Math.min(newest, ...young.map(({ createdAt }) => createdAt - 1)),
	};
}
