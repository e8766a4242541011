import type { IDataObject } from 'n8n-workflow';

import { CreationOrder } from '../../api/creationOrder';
import { FORM_SUBMITTED } from '../../api/delivery';
import { pagesOf } from '../../api/pagination';
import { listOf, USER_FORMS } from '../../api/records';
import type { ArgyleClient } from '../../transport/client';
import { isUuid } from '../../utils/ids';
import { byAge, type ListedRecord } from '../state/listedRecord';
import { includesUserForm, type TriggerSettings } from '../state/settings';
import { MAX_FORM_AGE_MS } from '../state/timing';

/** So many pages of 200 forms are read of a list that is not newest first. */
const MAX_PAGES = 50;

function toForm(record: IDataObject): ListedRecord | undefined {
	const { id, account, created_at: createdAt } = record;
	const time = Date.parse(String(createdAt));
	if (!isUuid(id) || typeof account !== 'string' || Number.isNaN(time)) return undefined;
	return { key: id, createdAt: time, record };
}

/** The event of a form as Argyle's list shows it: whose form it is, the execution finds out. */
export function listedEvent(
	record: IDataObject,
	{ name, includeUserForm }: Pick<TriggerSettings, 'name' | 'includeUserForm'>,
): IDataObject {
	const { id, account } = record;
	const event = { event: FORM_SUBMITTED, name, data: { account, user_form: id } };
	return includesUserForm(includeUserForm) ? { ...event, userForm: record } : event;
}

/** The list of an account's forms, read page by page as far back as one of its triggers needs it. */
export class FormList {
	readonly forms: ListedRecord[] = [];

	private newest: ListedRecord | undefined;

	private readonly order = new CreationOrder();

	private pageCount = 0;

	private isAtEnd = false;

	private readonly pages: AsyncGenerator<IDataObject[], void>;

	private reading: Promise<unknown> = Promise.resolve();

	private readonly client: ArgyleClient;

	constructor(client: ArgyleClient) {
		this.client = client;
		this.pages = pagesOf(client, listOf(USER_FORMS));
	}

	/**
	 * Reads until every form since `time` is known, a week at most before the newest. Returns whether that is so: a
	 * list in another order than newest first may have too many pages.
	 */
	async readBackTo(time: number): Promise<boolean> {
		const reading = this.reading.then(async () => await this.read(time));
		this.reading = reading;
		return await reading;
	}

	private async read(time: number): Promise<boolean> {
		while (!this.isAtEnd && !this.reaches(time)) {
			if (this.order.isUnordered && this.pageCount >= MAX_PAGES) return false;
			const page = await this.pages.next();
			if (page.done === true) this.isAtEnd = true;
			else this.add(page.value);
		}
		return true;
	}

	/** What the service's clock shows at least, in milliseconds since 1970. */
	get serviceTime(): number {
		return this.client.toServiceTime(Date.now());
	}

	/** As `serviceTime`, at most: what is dated later is dated in the future. */
	get latestServiceTime(): number {
		return this.client.toLatestServiceTime(Date.now());
	}

	/** When the newest form that was read was submitted, by the service's clock at the latest now; else undefined. */
	get newestTime(): number | undefined {
		return this.newest && Math.min(this.newest.createdAt, this.serviceTime);
	}

	async newestForm(): Promise<ListedRecord | undefined> {
		await this.readBackTo(Infinity);
		if (this.newest !== undefined) await this.readBackTo(this.newest.createdAt);
		return this.newest;
	}

	/** Whether no form on a later page can be newer than that. */
	private reaches(time: number): boolean {
		if (this.newest === undefined) return false;
		const earliest = Math.min(this.newest.createdAt, this.serviceTime) - MAX_FORM_AGE_MS;
		return this.order.hasPassed(Math.max(time, earliest));
	}

	private add(records: IDataObject[]): void {
		this.pageCount++;
		for (const form of records.map(toForm).filter((listed) => listed !== undefined)) {
			this.order.add(form.createdAt);
			if (this.newest === undefined || byAge(this.newest, form) < 0) this.newest = form;
			this.forms.push(form);
		}
	}
}
