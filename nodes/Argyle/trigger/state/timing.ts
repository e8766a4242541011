import { DAY_MS } from '../../utils/clock';

/**
 * The trigger's time limits, pauses and ages, in milliseconds. A *look* is one round of the watch (`watch.ts`). For a
 * request, `timeoutMs` limits each try, and `maxElapsedMs` limits for how long it is tried again.
 */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Argyle waits so long for the answer to a delivery, and sends it again once, so long after a 429, 500, 502, 503, 504
 * or silence (its rate limits page, as summarized by others).
 */
const ARGYLE = { waitsMs: 10 * SECOND, repeatsAfterMs: 30 * SECOND };

// 1. Requests

/**
 * While a person publishes. n8n itself tries five times, with pauses of 15 s in all, and aborts a publish after 84 s
 * (0.7 of its lease of 120 s). Five tries and their clean-ups take less, even if no answer comes.
 */
export const PUBLISH = { timeoutMs: 7 * SECOND, maxElapsedMs: 5 * SECOND };

/**
 * While a person unpublishes. Requests are tried for a minute, to outlast a short outage of Argyle: a subscription that
 * stays behind goes on sending. n8n calls `delete` three times. The minute counts from the first failure, so the last
 * two calls try only once, and all three end within n8n's 84 s.
 */
export const UNPUBLISH = { timeoutMs: 5 * SECOND, maxElapsedMs: MINUTE + SECOND };

/** For requests of a test, while a person waits at the screen. */
export const TEST = { timeoutMs: 7 * SECOND, maxElapsedMs: 15 * SECOND };

/**
 * For the clean-up after a test, or if the trigger knows of no subscription. n8n shows only after this clean-up why a
 * test or a publish has failed.
 */
export const CLEAN_UP = { timeoutMs: 5 * SECOND, maxElapsedMs: 5 * SECOND };

/** For the requests of a look. They are given up soon, because another look follows. */
export const LOOK = { timeoutMs: 10 * SECOND, maxElapsedMs: 5 * SECOND };

/** For the requests with which an execution fetches what its event lacks, such as the user: a minute in all. */
export const COMPLETION = { timeoutMs: 20 * SECOND, maxElapsedMs: 40 * SECOND };

/** While Argyle answers 404 for a record that an event names: how long to ask again, and the pause in between. */
export const NEW_RECORD = { maxElapsedMs: 6 * SECOND, pauseMs: 2 * SECOND };

/** For asking Argyle which secrets sign the deliveries to a URL, while a delivery waits for the result. */
export const SECRET_LOOKUP = { timeoutMs: 3 * SECOND, maxElapsedMs: 0 };

/** How long executions share Argyle's answer about a person. Names and addresses are corrected now and then. */
export const PERSON_MS = 5 * MINUTE;

// 2. Deliveries

/** From the arrival of a delivery to its answer; the rest of Argyle's time is for n8n's own work and the network. */
export const ANSWER_MS = ARGYLE.waitsMs - 2 * SECOND;

/**
 * How old an event is, by Argyle's clock, when a delivery of it should have come, and its repetition. The rest is for
 * n8n's work.
 */
export const DELIVERY_MS = ARGYLE.waitsMs + ARGYLE.repeatsAfterMs + 20 * SECOND;

/** At this age, both have surely come, or are surely lost, even on a slow network. */
export const DELIVERED_MS = 2 * DELIVERY_MS;

/** Equal events within this time count as one. It is longer than Argyle and the network take to repeat a delivery. */
export const DUPLICATE_MS = DELIVERED_MS;

/** How long a delivery of a replaced subscription may still be on its way. */
export const REPLACED_SECRET_MS = DELIVERED_MS;

/**
 * After `keptMs`, the credential is read anew, because its key may have been replaced. `againMs` is between two
 * readings, if no known secret has signed a call, or if the last reading failed.
 */
export const CREDENTIAL = { keptMs: 5 * MINUTE, againMs: SECOND };

/** Between two questions to Argyle for secrets: after an answer, and after a failure. */
export const LOOKUP = { answeredMs: MINUTE, failedMs: 5 * SECOND };

// 3. Publishing

/** What one process took down and puts up again within this time goes on. */
export const GOES_ON_MS = 5 * MINUTE;

/** How long n8n may take, after its process has started, to start all published workflows. */
export const BOOTING_MS = 5 * MINUTE;

/** How long a subscription counts as just removed. A publish of a change removes it, and registers it again at once. */
export const JUST_REMOVED_MS = 5 * SECOND;

// 4. Looks

/**
 * From the start of a watch to its first look. The time is different in each process, so that several n8n with one
 * Argyle account don't ask at the same time.
 */
export const FIRST_LOOK_MS = 3 * SECOND + Math.random() * 4 * SECOND;

/** From look to look: with a subscription five minutes, less 15 s for the look itself; with polling a minute. */
export const LOOK_INTERVAL = { subscription: 5 * MINUTE - 15 * SECOND, polling: MINUTE };

/** Until the next look while Argyle is away, while hooks register the trigger, or while deliveries may still come. */
export const LOOK_SOON_MS = 30 * SECOND;

/** Triggers of one account share what one of them has read in this time. */
export const SHARED_READING_MS = 10 * SECOND;

/**
 * All triggers look at the same time, so they take turns. After this time, a turn ends even if its work goes on: by
 * then, the work only waits for the network or a database.
 */
export const BUSY_MS = 500;

/**
 * For a call to the trigger's own URL, which n8n may be unable to reach from inside its network. After a call comes a
 * pause, because n8n takes 50 ms to make the sandbox for the next one. A call that is older than `validMs` is refused.
 * A call that is answered more than `savesMs` after n8n called the node, or that took longer than `freshMs` to come
 * there, saves no static data: others may have written since n8n loaded it.
 */
export const OWN_URL = { timeoutMs: 5 * SECOND, pauseMs: 100, validMs: MINUTE, freshMs: SECOND, savesMs: 20 };

/** How much later than n8n's clock a time in static data may be. Clocks are minutes off at most. */
export const SAVED_AHEAD_MS = 10 * MINUTE;

/** Looks come more often than this, unless the computer sleeps. */
export const ASLEEP_MS = 30 * MINUTE;

/**
 * How long trouble lasts before it is reported: about a quarter of an hour, or longer if it may pass by itself. It is
 * reported again each day.
 */
export const REPORT = { afterMs: 14 * MINUTE, transientAfterMs: HOUR, repeatMs: DAY_MS };

// 5. How far back, and what clocks may differ

/** How far back events are looked for, from the newest one in Argyle's list. */
export const MAX_EVENT_AGE_MS = 7 * DAY_MS;

/** How far the clock that dates Argyle's responses may be from the one that dates its records, either way. */
export const RECORD_CLOCK_MS = 2 * SECOND;

/**
 * How far `last_sent_at` may be from the arrival of its call, before or after. In recorded replies, `updated_at` is a
 * minute too late, so `last_sent_at` may be too late as well. The other minute is for the delivery itself.
 */
export const SENT_TOLERANCE_MS = MINUTE + DELIVERY_MS;

/** If the difference of n8n's clock from Argyle's changes by more, n8n's clock was set. Argyle tells whole seconds. */
export const CLOCK_STEP_MS = 10 * SECOND;

/** A running n8n saves within this time that it has looked, though one look may fail to. If not, n8n was stopped. */
export const STOPPED_MS = 2 * LOOK_INTERVAL.subscription + SENT_TOLERANCE_MS + MINUTE;

/** A scan has to find changes up to this age: some looks have to pass until a lost call is noticed. */
export const SCAN_REACH_MS = 40 * MINUTE;

/**
 * Without a subscription, the next scan waits this long for each request that the last one took, so that scans take 5 %
 * of Argyle's rate.
 */
export const SCAN_PAUSE_MS = 400;

/**
 * How old the loss of a connection may be: if nothing tells since when losses count, as without Catch Up; and in any
 * delivery. Argyle refreshes an account about once a day, so one refresh can report it.
 */
export const LOSS_AGE = { freshMs: HOUR, refreshedMs: 36 * HOUR };

// 6. Executions

/**
 * How long an execution of a caught-up event counts as one of the twenty that may be open (`StartQueue`), and how long
 * as one of the hundred.
 */
export const OPEN = { youngMs: MINUTE, longMs: 15 * MINUTE };

/** After this, n8n is asked for another execution for an event whose execution has neither run nor ended. */
export const SILENT_MS = 5 * MINUTE;

/** How long to ask n8n's processed values again. After that, a database that was locked or restarted is back. */
export const STORE = { maxElapsedMs: 3 * MINUTE, maxPauseMs: 5 * SECOND };

/** An execution that runs this soon after its delivery is the first one for its event. */
export const PROMPT_MS = 10 * SECOND;

/**
 * How long a turn takes, in which only one kind of late execution may ask n8n's processed values (`turn.ts`). An
 * execution may ask only in the first `openMs`. The rest is for n8n's work.
 */
export const TURN = { lengthMs: 10 * SECOND, openMs: 2 * SECOND };

/**
 * When, after a delivery, the execution of its repetition may run promptly. It runs 30 to 60 s later; the rest is
 * for n8n's work. This span is shorter than a round of turns.
 */
export const REPETITION = { fromMs: ARGYLE.repeatsAfterMs - PROMPT_MS, toMs: DELIVERY_MS + 5 * SECOND };

/** The length of a slot of time. A delivery and its repetition, 30 to 50 s later, are one or two slots apart. */
export const DELIVERY_SLOT_MS = 25 * SECOND;

/**
 * When a recorded key is looked for again in n8n's processed values, because another process can undo it: after about
 * twice the time of the last access, but at least `minMs`, then after `againMs`. If a key is still there `settledMs`
 * after it was written, nothing undoes it any more.
 */
export const RECHECK = { minMs: 200, againMs: 10 * SECOND, settledMs: 5 * SECOND };
