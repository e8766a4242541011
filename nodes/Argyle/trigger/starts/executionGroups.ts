import type { ListedRecord } from '../state/listedRecord';
import type { Trigger } from '../state/trigger';

/** One group for each doubt that no execution asks about yet. `shown` is what all lists have shown. */
export function doubtfulGroups(trigger: Trigger, shown: ListedRecord[], ready: ListedRecord[]): ListedRecord[][] {
	const { starts } = trigger;
	const doubtAbout = (event: ListedRecord) => trigger.doubtAbout(event);
	const isPending = ({ key }: ListedRecord) =>
		starts.isShown(key) && !starts.isDone(key) && (starts.isTaken(key) || starts.isWaiting(key));
	// One execution alone asks about a doubt, with the events of all lists. A second one would find what the first has
	// recorded, and take that for proof.
	const asked = new Set(shown.filter(isPending).map(doubtAbout));
	const doubts = new Set(ready.map(doubtAbout).filter((doubt) => doubt !== undefined && !asked.has(doubt)));
	return [...doubts].map((doubt) => ready.filter((event) => doubtAbout(event) === doubt));
}

/**
 * For the events that are not in doubt: one group for each event that no process has received, and one for all others.
 */
export function certainGroups(trigger: Trigger, ready: ListedRecord[]): ListedRecord[][] {
	const certain = ready.filter((event) => trigger.doubtAbout(event) === undefined);
	const isReceived = ({ key }: ListedRecord) => trigger.starts.isReceived(key);
	const missed = certain.filter((event) => !isReceived(event)).map((event) => [event]);
	// Received events have started the workflow, unless their executions were killed. One execution checks all of them.
	return [...missed, certain.filter(isReceived)];
}
