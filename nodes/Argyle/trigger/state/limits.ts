/**
 * How much is remembered. These limits depend on each other. After a restart, the trigger looks again for the events
 * that static data does not have. n8n's processed values, its durable store, must have room for all of them:
 * MAX_UNSAVED + MAX_BEHIND < MAX_PROCESSED. Otherwise each event that starts the workflow a second time would push
 * another event out of the processed values.
 */

/**
 * How many events that have started the workflow may be newer than the bookmark. The bookmark stays behind them,
 * because a list may show events late.
 */
export const MAX_BEHIND = 500;

/**
 * The same limit while an earlier event may still be found, such as that of an open report. Static data has the keys of
 * all these events.
 */
export const MAX_HELD = 1_000;

/** How many events may start the workflow before the bookmark is saved again. */
export const MAX_UNSAVED = 1_000;

/** How many events that have started the workflow are kept in static data. */
export const MAX_SAVED = 2_000;

/** How many processed values n8n keeps. n8n reads and writes all of them each time. */
export const MAX_PROCESSED = 2_000;

/** How many starts that no list has shown are remembered. */
export const MAX_UNLISTED = 10_000;
