import { type ArgyleError, asArgyleError } from '../../transport/errors';
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
	/** The events that only a scan shows. */
	scanned: ListedRecord[];
}

/** Reads the lists of a trigger as far back as each look needs them. */
export class LookReader {
	readonly scan: Scan;

	/** By the path of a list: how far back the next reading has to go. Set when a reading went far enough. */
	private readonly reach = new Map<string, number>();

	private readonly trigger: Trigger;

	constructor(trigger: Trigger, scan: Scan) {
		this.trigger = trigger;
		this.scan = scan;
	}

	/**
	 * Reads the lists, and scans one of them if that is due. Argyle may refuse one of them, for example to a key without
	 * its product. What the others show starts the workflow all the same. Throws ArgyleError if it refuses all.
	 */
	async read(lists: EventList[]): Promise<Found> {
		const { trigger } = this;
		const unread: EventList[] = [];
		const refusals = new Map<EventList, ArgyleError>();
		const addRefusal = (list: EventList) => (error: unknown) => void refusals.set(list, asArgyleError(error));
		for (const list of lists) if ((await this.readOne(list).catch(addRefusal(list))) !== true) unread.push(list);
		const list = trigger.wish.areScanned ? lists.find(({ isScanned }) => isScanned) : undefined;
		const isToScan = list !== undefined && !refusals.has(list);
		const scanned = isToScan ? await this.scan.read(list).catch(addRefusal(list)) : [];
		const [refusal] = refusals;
		if (refusals.size === lists.length) throw refusal[1];
		if (refusal !== undefined) trigger.notes.listFailure.write({ list: refusal[0].recordType.many, error: refusal[1] });
		return { unread, refused: [...refusals.keys()], scanned: scanned ?? [] };
	}

	/** These lists were read far enough. */
	setReach(lists: EventList[]): void {
		for (const list of lists) this.reach.set(list.recordType.path, list.nextReach);
	}

	/** Returns whether everything that may count was read, and everything that a list may show late. */
	private async readOne(list: EventList): Promise<boolean> {
		const from = this.trigger.readFrom - list.followedMs;
		return await list.readBackTo(Math.max(from, this.reach.get(list.recordType.path) ?? 0));
	}
}
