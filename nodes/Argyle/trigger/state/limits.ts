/**
 * How much is remembered. The bounds hang together: what n8n's store knows is more than what may be looked for again
 * after a restart (the forms behind the bookmark, and those since it was saved), so that no form runs a second time.
 */

/** So many started forms at most lie behind the bookmark, for late ones: after a restart each costs an execution. */
export const MAX_BEHIND = 500;

/** So many forms n8n's store of processed values keeps; it reads and writes them as a whole each time. */
export const MAX_PROCESSED = 2_000;

/** So many forms from before a beginning n8n's store learns of at most, which leaves room for others. */
export const MAX_EARLIER = 1_000;

/** So many starts are remembered of records that the list has not shown: more than n8n runs in an hour. */
export const MAX_UNLISTED = 10_000;

/** Of what there is one for each trigger, URL or credential: more than an n8n can have. */
export const MAX_TRIGGERS = 10_000;
