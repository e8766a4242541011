import type { IDataObject } from 'n8n-workflow';

import { CreationOrder, LATENESS_MS } from '../../api/creationOrder';
import { FORM_SUBMITTED } from '../../api/delivery';
import { takesResource } from '../../api/events';
import {
	EVENT_SOURCES,
	eventData,
	eventOfKey,
	type EventSource,
	isUndated,
	isScanned,
	keyOfRecord,
	sourceOf,
} from '../../api/eventSources';
import { pagesOf } from '../../api/pagination';
import { ACCOUNTS, listOf } from '../../api/records';
import type { RecordType } from '../../api/recordTypes';
import { SyncedUsers } from '../../api/syncedUsers';
import { isOn } from '../../shared/parameters';
import type { ArgyleClient } from '../../transport/client';
import { DAY_MS } from '../../utils/clock';
import { byAge, type ListedRecord } from '../state/listedRecord';
import { includesUserForm, type TriggerSettings } from '../state/settings';
import { MAX_EVENT_AGE_MS, RECORD_CLOCK_MS } from '../state/timing';

/** How many pages of 200 records are read at most if a list is not newest first. */
const MAX_PAGES = 50;

const daysOf = ({ change }: EventSource) => change?.followedDays;

/**
 * A time in whole seconds may be any moment of that second. The last moment is taken, so that a record from the second
 * of a publish counts as later than the publish. Otherwise its event would be lost.
 */
function timeOf(value: unknown): number {
	const text = String(value);
	return Date.parse(/:\d\dZ$/.test(text) ? text.replace('Z', '.999Z') : text);
}

function toListed(source: EventSource, record: IDataObject): ListedRecord | undefined {
	const key = keyOfRecord(source, record);
	const { change } = source;
	const happenedAt = timeOf(change?.time === undefined ? record.created_at : change.time(record));
	if (key === undefined || Number.isNaN(happenedAt)) return undefined;
	const countsBy = change?.countsBy && timeOf(change.countsBy(record));
	return { key, happenedAt, record, ...(isUndated(source) && { isUndated: true }), ...(countsBy && { countsBy }) };
}

/** Returns the event that a record tells of. If the record does not name its user, the execution finds out. */
export function listedEvent(
	{ key, record }: Pick<ListedRecord, 'key' | 'record'>,
	{ name, includeUserForm, options = {} }: Pick<TriggerSettings, 'name' | 'includeUserForm'> & Partial<TriggerSettings>,
): IDataObject {
	const event = eventOfKey(key);
	const source = sourceOf(event);
	const isWithResource = isOn(options, 'includeResource') && takesResource(event);
	const data = { ...(source && eventData(source, record)), ...(isWithResource && { resource: record }) };
	const isWithForm = event === FORM_SUBMITTED && includesUserForm(includeUserForm);
	return { event, name, data, reconstructed: true, ...(isWithForm && { userForm: record }) };
}

/** Returns the lists that show these events, each once. */
export function recordTypesOf(events: string[]): RecordType[] {
	const sources = EVENT_SOURCES.filter(({ event }) => events.includes(event));
	return [...new Set(sources.map(({ recordType }) => recordType))];
}

export const listsOf = (client: ArgyleClient, events: string[]) =>
	recordTypesOf(events).map((recordType) => new EventList(client, recordType));

/**
 * One of Argyle's lists, and the events that its records tell of. It is read as far back as any of the triggers that
 * share it needs.
 */
export class EventList {
	readonly events: ListedRecord[] = [];

	readonly recordType: RecordType;

	private newest: ListedRecord | undefined;

	/** When the newest of its records was created, in milliseconds since 1970. */
	private newestRecord = -Infinity;

	/** The creation times, in milliseconds since 1970, of all records that are open: not in their final state yet. */
	private readonly open: number[] = [];

	private readonly order = new CreationOrder();

	/** How many requests the list has taken so far. */
	pageCount = 0;

	private isAtEnd = false;

	private isReadWhole = false;

	private readonly users = new SyncedUsers();

	private readonly pages: AsyncGenerator<IDataObject[], void>;

	private reading: Promise<unknown> = Promise.resolve();

	private readonly client: ArgyleClient;

	private readonly sources: EventSource[];

	constructor(client: ArgyleClient, recordType: RecordType) {
		this.client = client;
		this.recordType = recordType;
		this.sources = EVENT_SOURCES.filter((source) => source.recordType === recordType);
		this.pages = pagesOf(client, listOf(recordType));
	}

	/**
	 * Reads until every record since `time` is known. It ends earlier at records that are too old for an event of the
	 * last week. Returns false if it had to give up, because a list that is not newest first has too many pages.
	 */
	async readBackTo(time: number): Promise<boolean> {
		return await this.inTurn(async () => await this.read(time));
	}

	/** Reads the whole list. */
	async scan(): Promise<void> {
		await this.inTurn(async () => {
			this.isReadWhole = true;
			for await (const page of this.pages) this.add(page);
			this.end();
		});
	}

	private async inTurn<T>(read: () => Promise<T>): Promise<T> {
		const reading = this.reading.then(read);
		this.reading = reading;
		return await reading;
	}

	private async read(time: number): Promise<boolean> {
		while (!this.isAtEnd && !this.reaches(time)) {
			if (this.order.isUnordered && this.pageCount >= MAX_PAGES) return false;
			const page = await this.pages.next();
			if (page.done === true) this.end();
			else this.add(page.value);
		}
		return true;
	}

	/** As `ArgyleClient.credentialDigest`. */
	get credentialDigest(): string {
		return this.client.credentialDigest;
	}

	/** The earliest time that Argyle's clock may show, in milliseconds since 1970. */
	get serviceTime(): number {
		return this.client.toServiceTime(Date.now());
	}

	/** The latest time that the clock of its records may show. A record that is dated later is dated in the future. */
	get latestServiceTime(): number {
		return this.client.toLatestServiceTime(Date.now()) + RECORD_CLOCK_MS;
	}

	/** When the newest event that was read happened, or now if it is dated in the future. Undefined without any event. */
	get newestTime(): number | undefined {
		return this.newest && Math.min(this.newest.happenedAt, this.serviceTime);
	}

	/** How much older than its event a followed record can be, in milliseconds. */
	get followedMs(): number {
		return Math.max(...this.sources.map((source) => (daysOf(source) ?? 0) * DAY_MS));
	}

	/** When the oldest of the open and followed records since `time` was created. Infinity if there is none. */
	oldestOpen(time: number): number {
		const since = Math.max(time, this.serviceTime - this.followedMs);
		return this.open.reduce((oldest, each) => (each >= since ? Math.min(oldest, each) : oldest), Infinity);
	}

	/**
	 * How far back the next reading has to go, in milliseconds since 1970: to the oldest open record, and to where records
	 * may still be listed late.
	 */
	get nextReach(): number {
		return Math.min(this.oldestOpen(0), Math.min(this.newestRecord, this.serviceTime) - LATENESS_MS);
	}

	get isUndated(): boolean {
		return this.sources.some(isUndated);
	}

	/** Whether only a scan shows all of its events. */
	get isScanned(): boolean {
		return this.sources.some(isScanned);
	}

	async newestEvent(): Promise<ListedRecord | undefined> {
		await this.readBackTo(Infinity);
		if (this.newest !== undefined) await this.readBackTo(this.newest.happenedAt);
		return this.newest;
	}

	/** Whether no later page can have a record that is newer than `time` and young enough to count. */
	private reaches(time: number): boolean {
		const earliest = Math.min(this.newestRecord, this.serviceTime) - MAX_EVENT_AGE_MS - this.followedMs;
		return this.pageCount > 0 && this.order.hasPassed(Math.max(time, earliest));
	}

	private add(records: IDataObject[]): void {
		this.pageCount++;
		for (const record of records) {
			const recordTime = timeOf(record.created_at);
			if (Number.isNaN(recordTime)) continue;
			this.order.add(recordTime);
			this.newestRecord = Math.max(this.newestRecord, recordTime);
			for (const source of this.sources) this.addEvent(source, record, recordTime);
			if (this.recordType === ACCOUNTS) this.users.add(record);
		}
	}

	/** Called when all records of the list are known. */
	private end(): void {
		if (this.isAtEnd) return;
		this.isAtEnd = true;
		for (const user of this.users.records())
			for (const source of this.sources) this.addEvent(source, user, this.newestRecord);
	}

	private addEvent(source: EventSource, record: IDataObject, recordTime: number): void {
		const event = toListed(source, record);
		if (event === undefined) {
			if (daysOf(source) !== undefined) this.open.push(recordTime);
			return;
		}
		// A whole list also shows what is years old.
		const now = isScanned(source) ? this.serviceTime : Math.min(this.newestRecord, this.serviceTime);
		if ((this.isReadWhole || isScanned(source)) && event.happenedAt < now - MAX_EVENT_AGE_MS) return;
		if (this.newest === undefined || byAge(this.newest, event) < 0) this.newest = event;
		this.events.push(event);
	}
}
