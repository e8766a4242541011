/**
 * How much is remembered. These limits depend on each other. After a restart, the trigger looks again for the events
 * that static data does not know. n8n's store has to know all of them (500 + 1,000 < 2,000). Otherwise each event that
 * starts the workflow a second time would push another event out of the store.
 */

/** How many started events may be newer than the bookmark. It stays behind, because a list may show events late. */
export const MAX_BEHIND = 500;

/** The same while an earlier event may still be found, such as that of an open report. Static data has them all. */
export const MAX_HELD = 1_000;

/** How many events are started at most before the bookmark is saved again. */
export const MAX_UNSAVED = 1_000;

/** How many events that have started the workflow are kept in static data. */
export const MAX_SAVED = 2_000;

/** How many values n8n's store of processed values keeps. It reads and writes all of them each time. */
export const MAX_PROCESSED = 2_000;

/** How many events from before the bookmark began are put into n8n's store at most, which leaves room for others. */
export const MAX_EARLIER = 1_000;

/** How many starts are remembered whose records the list has not shown: more than n8n runs in hours. */
export const MAX_UNLISTED = 10_000;
