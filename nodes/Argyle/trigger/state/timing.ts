import { DAY_MS } from '../../utils/clock';

/**
 * Who waits how long for whom, all in milliseconds. Argyle waits 10 s for the answer to a delivery, and repeats it
 * once, 30 s later, after a 429, 500, 502, 503, 504 or silence (its rate limits page, as summarized by others).
 *
 * Of a request, `timeoutMs` is for each try, and `maxElapsedMs` for how long it is tried again.
 */

/**
 * While a person publishes. It is short, because n8n itself tries five times within 15 s, and aborts a publish after 84
 * s (0.7 of its lease of 120 s). Five tries and their clean-ups take less, even where no answer comes.
 */
export const PUBLISH = { timeoutMs: 7_000, maxElapsedMs: 5_000 };

/**
 * While a person unpublishes. It is patient, because a subscription that stays behind goes on sending: it outlasts a
 * service that is away for a minute. n8n calls `delete` three times. The last two calls try only once, and all three
 * end within the same 84 s.
 */
export const UNPUBLISH = { timeoutMs: 5_000, maxElapsedMs: 61_000 };

/** While a person looks at the screen. */
export const TEST = { timeoutMs: 7_000, maxElapsedMs: 15_000 };

/**
 * For a clean-up after a test, or without a known subscription. n8n shows why a test or a publish has failed only after
 * this clean-up.
 */
export const CLEAN_UP = { timeoutMs: 5_000, maxElapsedMs: 5_000 };

/** For the requests of a look. It gives up soon, because another look follows. */
export const LOOK = { timeoutMs: 10_000, maxElapsedMs: 5_000 };

/** For an execution that waits for what its event lacks: a minute in all. */
export const COMPLETION = { timeoutMs: 20_000, maxElapsedMs: 40_000 };

/** How long, and how often, a record that an event names is asked for again while Argyle answers 404. */
export const NEW_RECORD = { maxElapsedMs: 6_000, pauseMs: 2_000 };

/** For how long executions share what Argyle says of a person: names and addresses are corrected now and then. */
export const PERSON_MS = 300_000;

/** For asking the service which secrets sign the deliveries to a URL, while one delivery waits. */
export const SECRET_LOOKUP = { timeoutMs: 3_000, maxElapsedMs: 0 };

/** From the arrival of a delivery to its answer; the rest of Argyle's 10 s is for n8n's own work and the way. */
export const ANSWER_MS = 8_000;

/** For a call to the trigger's own URL, which may not be open from inside. */
export const OWN_URL_MS = 5_000;

/** Equal events within this time count as one. It is longer than Argyle and the network take to repeat a delivery. */
export const DUPLICATE_MS = 120_000;

/** How long a delivery of a replaced subscription may still be on its way. */
export const REPLACED_SECRET_MS = 120_000;

/** After this the credential is read anew, because its key may have been replaced. */
export const CREDENTIAL_MS = 300_000;

/** How often at most the credential is read for calls that no known secret signed, or after it could not be read. */
export const CREDENTIAL_AGAIN_MS = 1_000;

/** How often at most the service is asked for secrets, after an answer and after none. */
export const LOOKUP = { answeredMs: 60_000, failedMs: 5_000 };

/** n8n removes a changed trigger, and registers it again at once. */
export const JUST_REMOVED_MS = 5_000;

/**
 * How long a trigger may be down and still count as published. A change takes n8n 84 s at most, its own five tries
 * included.
 */
export const REPUBLISH_MS = 300_000;

/**
 * If n8n is killed while it publishes a change, static data says that the trigger was taken down. If n8n comes back
 * within this time, the trigger counts as published all the same.
 */
export const KILLED_PUBLISH_MS = 3_600_000;

/** How long n8n may take, after its process has started, to start all published workflows. */
export const STARTING_MS = 300_000;

/** For how long after its process has started nobody can have published anything: n8n's editor has to load first. */
export const BEFORE_ANY_PERSON_MS = 60_000;

/**
 * From the start of a watch to its first look. The time is different in each process, so that the n8n instances of an
 * account don't look at once.
 */
export const FIRST_LOOK_MS = 3_000 + Math.random() * 4_000;

/**
 * How long a trigger that looks may keep n8n to itself, because all look at the same time. What takes longer waits for
 * the network or a database.
 */
export const BUSY_MS = 500;

/** From look to look: with a subscription five minutes, less 15 s for the look itself; with polling a minute. */
export const LOOK_INTERVAL = { subscription: 285_000, polling: 60_000 };

/** Until the next look while the service is away, the hooks register the trigger, or deliveries may still come. */
export const LOOK_SOON_MS = 30_000;

/** What the triggers of one account read in this time, they read together. */
export const SHARED_READING_MS = 10_000;

/** Between the readings of two accounts, so that many accounts don't ask at once. */
export const ACCOUNT_INTERVAL_MS = 200;

/** Between two questions whether n8n still listens at the trigger's own URL. */
export const OWN_URL_CHECK_MS = 3_600_000;

/**
 * How old an event is, by Argyle's clock, when no delivery of it can come any more. Argyle delivers at once, waits for
 * 10 s, and sends again 30 s later.
 */
export const DELIVERY_MS = 60_000;

/** At this age of an event, its delivery has come or is lost, the repetition too. */
export const DELIVERED_MS = 2 * DELIVERY_MS;

/**
 * How far `last_sent_at` and the call that it dates may be apart, either way. In recorded replies, `updated_at` is a
 * minute too late, so `last_sent_at` may be, too. The other minute is for clocks that differ.
 */
export const SENT_TOLERANCE_MS = 120_000;

/**
 * How much later than its sending a call may come: Argyle repeats it 40 s later, and waits 10 s for the answer. The
 * rest is for clocks that differ.
 */
export const CALL_AFTER_SENDING_MS = 70_000;

/** A running n8n looks again within this time. If no look follows, n8n was stopped. */
export const STOPPED_MS = LOOK_INTERVAL.subscription + SENT_TOLERANCE_MS + 60_000;

/** How long the service's time has to stay the same while nothing comes. This shows that only a delivery changes it. */
export const STILL_MS = 900_000;

/**
 * How long an answer of another process counts as a sign that several processes take deliveries. The sign expires,
 * because the other process may have been replaced.
 */
export const ELSEWHERE_MS = 86_400_000;

/**
 * n8n's clock was set if its difference from the service's changes by more than this. The service tells whole seconds.
 */
export const CLOCK_STEP_MS = 10_000;

/** How far the clock that dates Argyle's responses may be from the one that dates its records, either way. */
export const RECORD_CLOCK_MS = 2_000;

/** How far back events are looked for. */
export const MAX_EVENT_AGE_MS = 7 * DAY_MS;

/**
 * A scan has to find changes up to this age. A loss is known that late, because `last_sent_at` must first earn trust.
 */
export const SCAN_REACH_MS = 2_400_000;

/** How old the loss of a connection may be, if nothing says since when losses count, as without Catch Up. */
export const FRESH_LOSS_MS = 3_600_000;

/** How often at most a scan follows on a sign that a call was missed. It is shorter than `SCAN_REACH_MS`. */
export const SCAN_HINT_MS = 1_800_000;

/** How old the loss of a connection may be: an account is refreshed about once a day, so one refresh may tell of it. */
export const REFRESHED_LOSS_MS = 36 * 3_600_000;

/**
 * Without a subscription, the next scan waits this long for each request of the last one, so that scans take 5 % of
 * Argyle's rate.
 */
export const SCAN_PAUSE_MS = 400;

/** For how long an execution of an event that was caught up counts as one of twenty that are open. */
export const OPEN_MS = 60_000;

/** For how long it counts as one of a hundred. */
export const LONG_OPEN_MS = 900_000;

/** After this, an event whose execution has neither begun nor ended is started again. */
export const GIVE_UP_MS = 300_000;

/**
 * The same for events in doubt. Two executions must not ask about one doubt, because the second would find what the
 * first has recorded. After this time, workers that were away are back, or n8n has lost the execution.
 */
export const GIVE_UP_DOUBT_MS = 3_600_000;

/**
 * How long a process remembers a delivered event that no list has shown. In queue mode, the main process may be away as
 * long, and then asks which events were delivered. n8n's processed values may have forgotten them.
 */
export const UNLISTED_MS = DAY_MS;

/** How long n8n's processed values are asked again. After that, a database that was locked or restarted is back. */
export const STORE = { maxElapsedMs: 180_000, maxPauseMs: 5_000 };

/** An execution that begins this soon after its delivery is the first one for its event. */
export const PROMPT_MS = 10_000;

/**
 * How long each kind of late execution has the store for itself. One may begin only in the first part; the rest is for
 * the store's work.
 */
export const TURN = { lengthMs: 10_000, openMs: 2_000 };

/**
 * How long after a delivery the execution of its repetition may begin promptly. It begins 30 to 60 s later; the rest is
 * for the store's work. It is shorter than a round of turns.
 */
export const REPETITION = { fromMs: 20_000, toMs: 65_000 };

/** A slot of time: a delivery and its repetition, 30 to 50 s later, come in slots that are one or two apart. */
export const DELIVERY_SLOT_MS = 25_000;

/**
 * When a recorded key is looked for again in n8n's processed values, where another process may undo it: after about
 * twice the time that the last access took, and then once more. It stays if it is there `settledMs` after its writing.
 */
export const RECHECK = { minMs: 200, againMs: 10_000, settledMs: 5_000 };

/**
 * A call that is answered later than this saves no static data, because others may have written since n8n loaded it.
 */
export const SAVE_MS = 10;

/**
 * How long a call to the own URL may be on its way for the same reason: so long anyway, or so much longer than the
 * fastest one.
 */
export const ON_ITS_WAY_MS = { quickly: 100, differs: 20 };

/** From a call that could not save static data to the next one. */
export const SAVE_AGAIN_MS = 1_000;

/** Looks come more often than this, unless the computer sleeps. */
export const ASLEEP_MS = 1_800_000;

/**
 * How long trouble lasts before it is reported: about a quarter of an hour, or longer if it may pass by itself. It is
 * reported again each day.
 */
export const REPORT = { afterMs: 840_000, transientAfterMs: 3_600_000, repeatMs: DAY_MS };
