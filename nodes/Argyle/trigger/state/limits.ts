/**
 * How much is remembered. The bounds hang together: after a restart what lies behind the saved bookmark is looked for
 * again, and n8n's store has to know all of it (500 + 1,000 < 2,000), or each form that runs again would push out the
 * next one.
 */

/** So many started forms at most lie behind the bookmark, for late ones. */
export const MAX_BEHIND = 500;

/** So many forms are started at most before the bookmark is saved again. */
export const MAX_UNSAVED = 1_000;

/** So many values n8n's store of processed values keeps; it reads and writes them as a whole each time. */
export const MAX_PROCESSED = 2_000;

/** So many forms from before a beginning n8n's store learns of at most, which leaves room for others. */
export const MAX_EARLIER = 1_000;

/** So many starts are remembered of records that the list has not shown: more than n8n runs in an hour. */
export const MAX_UNLISTED = 10_000;

/** Of what there is one for each trigger, URL or credential: more than an n8n can have. */
export const MAX_TRIGGERS = 10_000;
