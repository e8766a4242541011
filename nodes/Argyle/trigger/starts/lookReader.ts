import { type ArgyleError, asArgyleError, isLacking } from '../../transport/errors';
import type { ListedRecord } from '../state/listedRecord';
import type { Trigger } from '../state/trigger';
import type { EventList } from './eventList';
import { Scan } from './scan';

/** What a look has found. */
interface Found {
	/** Lists that may show more events than were read. */
	unread: EventList[];
	/** Those of them that could not be read at all. */
	refused: EventList[];
	/** Whether one of the refused lists may be readable soon. */
	isIncomplete: boolean;
	/** The events that only a scan shows. */
	scanned: ListedRecord[];
}

/** Reads the lists of a trigger as far back as each look needs them. */
export class LookReader {
	readonly scan: Scan;

	/** By the path of a list: how far back the next reading has to go. Set when a reading went far enough. */
	private readonly reach = new Map<string, number>();

	private readonly trigger: Trigger;

	constructor(trigger: Trigger, isPolling: boolean) {
		this.trigger = trigger;
		this.scan = new Scan(isPolling);
	}

	/** Whether no list was read far enough yet. */
	get isFirst(): boolean {
		return this.reach.size === 0;
	}

	/**
	 * Reads the lists, and scans one of them if that is due. Argyle may refuse one of them, for example to a key without
	 * its product. What the others show starts the workflow all the same. Throws ArgyleError if it refuses all.
	 */
	async read(lists: EventList[]): Promise<Found> {
		const { trigger } = this;
		const unread: EventList[] = [];
		const refusals = new Map<EventList, ArgyleError>();
		const noteRefusal = (list: EventList) => (error: unknown) => void refusals.set(list, asArgyleError(error));
		for (const list of lists) if ((await this.readOne(list).catch(noteRefusal(list))) !== true) unread.push(list);
		const list = trigger.wanted.areScanned ? lists.find(({ isScanned }) => isScanned) : undefined;
		const isToScan = list !== undefined && !refusals.has(list);
		const scanned = isToScan ? await this.scan.read(list, trigger).catch(noteRefusal(list)) : [];
		const [refusal] = refusals;
		if (refusals.size === lists.length) throw refusal[1];
		trigger.listFailure = refusal && { list: refusal[0].recordType.many, error: refusal[1] };
		const isIncomplete = ![...refusals.values()].every(isLacking);
		return { unread, refused: [...refusals.keys()], isIncomplete, scanned: scanned ?? [] };
	}

	/** Notes that these lists were read far enough. */
	noteRead(lists: EventList[]): void {
		for (const list of lists) this.reach.set(list.recordType.path, list.nextReach);
	}

	/** Returns whether everything since the bookmark was read, and everything that a list may show late. */
	private async readOne(list: EventList): Promise<boolean> {
		const { time = 0 } = this.trigger.bookmark ?? {};
		return await list.readBackTo(Math.max(time - list.followedMs, this.reach.get(list.recordType.path) ?? 0));
	}
}
