import { DAY_MS } from '../../utils/clock';

/**
 * The trigger's time limits, pauses and ages, in milliseconds. A *look* is one round of the watch (`watch.ts`). Argyle
 * waits 10 s for the answer to a delivery, and sends it again once, 30 s after a 429, 500, 502, 503, 504 or silence
 * (its rate limits page, as summarized by others).
 *
 * For a request, `timeoutMs` limits each try, and `maxElapsedMs` limits for how long it is tried again.
 */

/**
 * While a person publishes. n8n itself tries five times, with pauses of 15 s in all, and aborts a publish after 84 s
 * (0.7 of its lease of 120 s). Five tries and their clean-ups take less, even if no answer comes.
 */
export const PUBLISH = { timeoutMs: 7_000, maxElapsedMs: 5_000 };

/**
 * While a person unpublishes. Requests are tried for a minute, to outlast a short outage of Argyle: a subscription that
 * stays behind goes on sending. n8n calls `delete` three times. The minute counts from the first failure, so the last
 * two calls try only once, and all three end within n8n's 84 s.
 */
export const UNPUBLISH = { timeoutMs: 5_000, maxElapsedMs: 61_000 };

/** For requests of a test, while a person waits at the screen. */
export const TEST = { timeoutMs: 7_000, maxElapsedMs: 15_000 };

/**
 * For the clean-up after a test, or if the trigger knows of no subscription. n8n shows only after this clean-up why a
 * test or a publish has failed.
 */
export const CLEAN_UP = { timeoutMs: 5_000, maxElapsedMs: 5_000 };

/** For the requests of a look. They are given up soon, because another look follows. */
export const LOOK = { timeoutMs: 10_000, maxElapsedMs: 5_000 };

/** For the requests with which an execution fetches what its event lacks, such as the user: a minute in all. */
export const COMPLETION = { timeoutMs: 20_000, maxElapsedMs: 40_000 };

/** While Argyle answers 404 for a record that an event names: how long to ask again, and the pause in between. */
export const NEW_RECORD = { maxElapsedMs: 6_000, pauseMs: 2_000 };

/** How long executions share Argyle's answer about a person. Names and addresses are corrected now and then. */
export const PERSON_MS = 300_000;

/** For asking Argyle which secrets sign the deliveries to a URL, while a delivery waits for the result. */
export const SECRET_LOOKUP = { timeoutMs: 3_000, maxElapsedMs: 0 };

/** From the arrival of a delivery to its answer; the rest of Argyle's 10 s is for n8n's own work and the network. */
export const ANSWER_MS = 8_000;

/** For a call to the trigger's own URL, which n8n may be unable to reach from inside its network. */
export const OWN_URL_MS = 5_000;

/** From such a call to the next one. After a call, n8n takes 50 ms to make the sandbox for the next one. */
export const OWN_URL_PAUSE_MS = 100;

/** Equal events within this time count as one. It is longer than Argyle and the network take to repeat a delivery. */
export const DUPLICATE_MS = 120_000;

/** How long a delivery of a replaced subscription may still be on its way. */
export const REPLACED_SECRET_MS = 120_000;

/** After this the credential is read anew, because its key may have been replaced. */
export const CREDENTIAL_MS = 300_000;

/** Between two readings of the credential, if no known secret has signed a call, or if the last reading failed. */
export const CREDENTIAL_AGAIN_MS = 1_000;

/** Between two questions to Argyle for secrets: after an answer, and after a failure. */
export const LOOKUP = { answeredMs: 60_000, failedMs: 5_000 };

/** How long a subscription counts as just removed. A publish of a change removes it, and registers it again at once. */
export const JUST_REMOVED_MS = 5_000;

/**
 * How long a trigger may be down and still count as published. n8n needs 84 s at most to publish a change, with all of
 * its five tries.
 */
export const REPUBLISH_MS = 300_000;

/**
 * If n8n is killed while it publishes a change, static data says that the trigger was taken down. If n8n comes back
 * within this time, the trigger counts as published all the same.
 */
export const KILLED_PUBLISH_MS = 3_600_000;

/** How long n8n may take, after its process has started, to start all published workflows. */
export const STARTING_MS = 300_000;

/** In this time after n8n's process has started, nobody can publish anything: n8n's editor has to load first. */
export const BEFORE_ANY_PERSON_MS = 60_000;

/**
 * From the start of a watch to its first look. The time is different in each process, so that several n8n with one
 * Argyle account don't ask at the same time.
 */
export const FIRST_LOOK_MS = 3_000 + Math.random() * 4_000;

/**
 * All triggers look at the same time, so they take turns. After this time, a turn ends even if its work goes on: by
 * then, the work only waits for the network or a database.
 */
export const BUSY_MS = 500;

/** From look to look: with a subscription five minutes, less 15 s for the look itself; with polling a minute. */
export const LOOK_INTERVAL = { subscription: 285_000, polling: 60_000 };

/** Until the next look while Argyle is away, while hooks register the trigger, or while deliveries may still come. */
export const LOOK_SOON_MS = 30_000;

/** Triggers of one account share what one of them has read in this time. */
export const SHARED_READING_MS = 10_000;

/** Between two questions whether n8n still listens at the trigger's own URL. */
export const OWN_URL_CHECK_MS = 3_600_000;

/**
 * How old an event is, by Argyle's clock, when a delivery of it should have come. Argyle delivers at once, waits for
 * 10 s, and sends again 30 s later.
 */
export const DELIVERY_MS = 60_000;

/** At this age, the delivery and its repetition have surely come, or are surely lost, even on a slow network. */
export const DELIVERED_MS = 2 * DELIVERY_MS;

/**
 * How far `last_sent_at` may be from the arrival of its call, before or after. In recorded replies, `updated_at` is a
 * minute too late, so `last_sent_at` may be too late as well. The other minute is for clocks that differ.
 */
export const SENT_TOLERANCE_MS = 120_000;

/**
 * How much later than `last_sent_at` its call may arrive: Argyle repeats it 40 s later, and waits 10 s for the answer.
 * The rest is for clocks that differ.
 */
export const CALL_AFTER_SENDING_MS = 70_000;

/** A running n8n looks again within this time. If no look follows, n8n was stopped. */
export const STOPPED_MS = LOOK_INTERVAL.subscription + SENT_TOLERANCE_MS + 60_000;

/** How long `last_sent_at` has to stay the same while no call comes. This shows that only a delivery changes it. */
export const STILL_MS = 900_000;

/**
 * How long an answer of another process counts as a sign that several processes take deliveries. The sign expires,
 * because the other process may have been replaced.
 */
export const ELSEWHERE_MS = 86_400_000;

/** If the difference of n8n's clock from Argyle's changes by more, n8n's clock was set. Argyle tells whole seconds. */
export const CLOCK_STEP_MS = 10_000;

/** How far the clock that dates Argyle's responses may be from the one that dates its records, either way. */
export const RECORD_CLOCK_MS = 2_000;

/** How far back events are looked for. */
export const MAX_EVENT_AGE_MS = 7 * DAY_MS;

/** A scan has to find changes up to this age. A lost call is noticed so late: `last_sent_at` is not trusted at once. */
export const SCAN_REACH_MS = 2_400_000;

/** How old the loss of a connection may be, if nothing tells since when losses count. That is so without Catch Up. */
export const FRESH_LOSS_MS = 3_600_000;

/** The shortest time between two scans for calls that may have been missed. It is shorter than `SCAN_REACH_MS`. */
export const SCAN_HINT_MS = 1_800_000;

/** How old a loss in a delivery may be: Argyle refreshes an account about once a day, so one refresh can report it. */
export const REFRESHED_LOSS_MS = 36 * 3_600_000;

/**
 * Without a subscription, the next scan waits this long for each request that the last one took, so that scans take 5 %
 * of Argyle's rate.
 */
export const SCAN_PAUSE_MS = 400;

/** How long an execution of a caught-up event counts as one of the twenty that may be open (`StartQueue`). */
export const OPEN_MS = 60_000;

/** How long such an execution counts as one of the hundred that may be open. */
export const LONG_OPEN_MS = 900_000;

/** After this, n8n is asked for another execution for an event whose execution has neither begun nor ended. */
export const GIVE_UP_MS = 300_000;

/**
 * The same for events in doubt. Two executions must not ask about one doubt, because the second would find what the
 * first has recorded. After this time, workers that were away are back, or n8n has lost the execution.
 */
export const GIVE_UP_DOUBT_MS = 3_600_000;

/**
 * How long a process remembers a delivered event that no list has shown. In queue mode, the main process may be away
 * for this long. Then it asks which events were delivered, because n8n's processed values may have forgotten them.
 */
export const UNLISTED_MS = DAY_MS;

/** How long to ask n8n's processed values again. After that, a database that was locked or restarted is back. */
export const STORE = { maxElapsedMs: 180_000, maxPauseMs: 5_000 };

/** An execution that begins this soon after its delivery is the first one for its event. */
export const PROMPT_MS = 10_000;

/**
 * How long a turn takes, in which only one kind of late execution may ask n8n's processed values (`turn.ts`). An
 * execution may ask only in the first `openMs`. The rest is for n8n's work.
 */
export const TURN = { lengthMs: 10_000, openMs: 2_000 };

/**
 * When, after a delivery, the execution of its repetition may begin promptly. It begins 30 to 60 s later; the rest is
 * for n8n's work. This span is shorter than a round of turns.
 */
export const REPETITION = { fromMs: 20_000, toMs: 65_000 };

/** The length of a slot of time. A delivery and its repetition, 30 to 50 s later, are one or two slots apart. */
export const DELIVERY_SLOT_MS = 25_000;

/**
 * When a recorded key is looked for again in n8n's processed values, because another process can undo it: after about
 * twice the time of the last access, but at least `minMs`, then after `againMs`. If a key is still there `settledMs`
 * after it was written, nothing undoes it any more.
 */
export const RECHECK = { minMs: 200, againMs: 10_000, settledMs: 5_000 };

/**
 * A call that is answered later than this saves no static data, because others may have written since n8n loaded it.
 */
export const SAVE_MS = 10;

/** For the same reason, a call to the own URL may be on its way for at most this much longer than the fastest one. */
export const ON_ITS_WAY_MS = 20;

/** How long a call of this process, or another one, counts as the fastest: machines slow down, and clocks drift. */
export const FASTEST_MS = { own: 3_600_000, other: 240_000 };

/** From a call that could not save static data to the next one. */
export const SAVE_AGAIN_MS = 1_000;

/** Looks come more often than this, unless the computer sleeps. */
export const ASLEEP_MS = 1_800_000;

/**
 * How long trouble lasts before it is reported: about a quarter of an hour, or longer if it may pass by itself. It is
 * reported again each day.
 */
export const REPORT = { afterMs: 840_000, transientAfterMs: 3_600_000, repeatMs: DAY_MS };
