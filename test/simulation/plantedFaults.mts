import { FIRST_WITH_SECOND, FIRST_WITH_TWO_MAINS } from './quirks.mts';
import type { Change } from './process.mts';
import { FIRST_WITH_OTHERS } from './variety.mts';

/** A mistake that a person could make in the trigger. */
interface PlantedFault extends Change {
	/** What goes wrong with it. */
	name: string;
	/** The first seed of the worlds that can show it, if not all can. */
	from?: number;
	/** Whether it shows in worlds of life. */
	isInLife?: boolean;
	/** Where no world shows it: which test does. */
	foundBy?: string;
}

/** One at a time, they show what the simulation finds. */
export const PLANTED_FAULTS: PlantedFault[] = [
	// Subscription
	{
		name: 'a subscription that is gone counts as there',
		file: 'trigger/subscription/reconcile.ts',
		find: 'return own.length === 1 && own.every(',
		replace: 'return own.every(',
	},
	{
		name: 'a subscription that this process knows is not removed',
		file: 'trigger/lifecycle.ts',
		find: 'if (remembered === undefined || !(await removeAll(client, [remembered]))) {',
		replace: 'if (remembered === undefined) {',
	},
	{
		name: 'after a start nobody knows the URL',
		file: 'trigger/lifecycle.ts',
		find: 'if (isBoot) trigger.publication.openUrl(webhookUrl(context));',
		replace: 'if (isBoot) return true;',
	},
	// Deliveries
	{
		name: 'what can not be verified for now is refused for good',
		file: 'trigger/delivery/authentication.ts',
		find: "return isAnswered && derived !== undefined ? 'refused' : 'undecided';",
		replace: "return 'refused';",
		foundBy: 'trigger.secretLookup.test.mts',
	},
	{
		name: 'the process that asks its own URL takes its forms from itself',
		file: 'trigger/delivery/askOwnUrl.ts',
		find: 'publication.isWatchedHere ? [] : ',
		replace: '',
		foundBy: 'trigger.starts.test.mts',
	},
	{
		name: 'static data is written in a call that has taken long',
		file: 'trigger/delivery/askOwnUrl.ts',
		find: 'if (isFresh(data, since, now) && state.boundTo !== undefined) writeState',
		replace: 'writeState',
		from: 63,
	},
	// The machine of a start
	{
		name: 'a start that has begun can not be lost',
		file: 'trigger/state/start.ts',
		find: "idle: ['waiting', 'asked', 'running'],",
		replace: "idle: ['waiting', 'asked'],",
		foundBy: 'state/starts.test.mts',
	},
	{
		name: 'what n8n says nothing of is never given up',
		file: 'trigger/state/start.ts',
		find: "state === 'asked' && !isWithin(",
		replace: "state === 'waiting' && !isWithin(",
		foundBy: 'state/starts.test.mts',
	},
	{
		name: 'an execution that was dropped is asked for with the same key again',
		file: 'trigger/state/starts.ts',
		find: 'start.usedKeys++;',
		replace: '',
	},
	{
		name: 'a form dated in the future makes all others too old',
		file: 'trigger/state/starts.ts',
		find: 'Math.max(this.newest, Math.min(happenedAt, serviceTime))',
		replace: 'Math.max(this.newest, happenedAt)',
		foundBy: 'state/starts.test.mts',
	},
	{
		name: 'an execution that failed in the trigger counts as done',
		file: 'trigger/starts/executions.ts',
		find: "else if (failedInTrigger(run, context.getNode().name)) starts.lose(key, now, 'failed');",
		replace: '',
		foundBy: 'trigger.starts.test.mts',
	},
	// Bookmark
	{
		name: 'a form that the list shows late counts as passed',
		file: 'trigger/state/starts.ts',
		find: 'const limit = this.newest - LATENESS_MS;',
		replace: 'const limit = this.newest;',
	},
	{
		name: 'the bookmark stands at the newest form that is done',
		file: 'trigger/state/starts.ts',
		find: 'const passed = countUpToBookmark(this.listed, doneCount, this.heldFrom);',
		replace: 'const passed = doneCount;',
		foundBy: 'state/starts.test.mts',
	},
	{
		name: 'what the list has shown before counts after a new beginning',
		file: 'trigger/state/trigger.ts',
		find: 'this.starts.reset();',
		replace: '',
	},
	{
		name: "a beginning is told by n8n's clock",
		file: 'trigger/subscription/learnWish.ts',
		find: 'const time = isNew ? createdAt : client.toServiceTime(Date.now());',
		replace: 'const time = Date.now();',
		foundBy: 'trigger.create.test.mts',
	},
	{
		name: 'what one account counts, another one counts too',
		file: 'trigger/starts/knownAccount.ts',
		find: 'if (known === undefined || known.keyDigest === client.keyDigest) return true;',
		replace: 'if (known !== null) return true;',
	},
	// Store
	{
		name: 'what another worker has overwritten stays so',
		file: 'trigger/starts/recordStarts.ts',
		find: 'if (added.length > 0 && origin?.process !== PROCESS_ID)',
		replace: 'if (added.length > 0 && origin?.process === PROCESS_ID)',
	},
	{
		name: 'keys are added to a question that was asked already',
		file: 'trigger/starts/recordStarts.ts',
		find: 'if (waiting.get(trigger) === batch) waiting.delete(trigger);',
		replace: '',
	},
	{
		name: 'a form is recorded before it is complete',
		file: 'trigger/execute.ts',
		find: `const events =
		received.length === 1
			? [await complete(0)]
			: await mapConcurrently(run, async (index, { signal }) => await complete(index, signal));
	const parts = keys.map((key, index) => (key === undefined ? undefined : keyOfPart(received[index].item, key)));
	const started = await recordStarts(context, trigger.key, definedIn([...keys, ...parts]), received[0].origin);`,
		replace: `const parts = keys.map((key, index) => (key === undefined ? undefined : keyOfPart(received[index].item, key)));
	const started = await recordStarts(context, trigger.key, definedIn([...keys, ...parts]), received[0].origin);
	const events = await mapConcurrently(run, async (index, { signal }) => await complete(index, signal));`,
		from: 42,
	},
	{
		name: 'a form that was recorded before goes on',
		file: 'trigger/execute.ts',
		find: 'return events.map((event, index) => (isRetry || isFirst[index] ? event : undefined));',
		replace: 'return events;',
	},
	// Turns
	{
		name: 'late executions elsewhere take no turns',
		file: 'trigger/starts/turn.ts',
		find: 'const delay = sinceBegin < TURN.openMs ? 0 : roundMs - sinceBegin;',
		replace: 'const delay = 0;',
		foundBy: 'turn.test.mts',
	},
	{
		name: 'a delivery and its repetition have one turn',
		file: 'trigger/starts/turn.ts',
		find: 'Math.floor(at / DELIVERY_SLOT_MS) % 3;',
		replace: 'Math.floor(at / DELIVERY_SLOT_MS) % 1;',
		foundBy: 'turn.test.mts',
	},
	// Static data
	{
		name: 'each execution saves static data',
		file: 'trigger/execute.ts',
		find: 'starts.advance();',
		replace: 'starts.advance();\n\ttrigger.save(context);',
	},
	{
		name: 'what another n8n has kept counts',
		file: 'trigger/state/trigger.ts',
		find: 'return this.saved?.owner === this.owner ? this.saved : {};',
		replace: 'return this.saved ?? {};',
	},
	{
		name: 'static data is believed, whatever subscription it names',
		file: 'trigger/subscription/learnWish.ts',
		find: 'const saved = newest.id === ownSaved.boundTo ? ownSaved : undefined;',
		replace: 'const saved = ownSaved.boundTo === undefined ? undefined : ownSaved;',
	},
	// Watch
	{
		name: 'the watch is not told that it is closed',
		file: 'trigger/state/publication.ts',
		find: 'watch.abort();',
		replace: '',
	},
	{
		name: 'a look comes each half minute',
		file: 'trigger/watch/lookAfterSubscription.ts',
		find: 'return nextLook;',
		replace: 'return nextLook ?? LOOK_SOON_MS;',
	},
	{
		name: 'forms are caught up though nobody wants that',
		file: 'trigger/watch/lookAfterSubscription.ts',
		find: 'const events = caughtUpEvents(settings);',
		replace: "const events = ['user_forms.submitted'];",
	},
	{
		name: 'a reading of the lists is shared for ever',
		file: 'trigger/watch/sharedLists.ts',
		find: 'readings.deleteWhere(({ since }) => !isWithin(SHARED_READING_MS, since, now));',
		replace: '',
	},
	{
		name: 'a start with Checking for Events begins anew',
		file: 'trigger/watch/pollEvents.ts',
		find: 'const isKept = isOfKey && (isSameKey || (await showsKnownEvent(trigger, client)));',
		replace: 'const isKept = false;',
		foundBy: 'trigger.polling.test.mts',
	},
	// The list
	{
		name: 'only the first page of the list is read',
		file: 'trigger/starts/eventList.ts',
		find: 'return this.pageCount > 0 && this.order.hasPassed(Math.max(time, earliest));',
		replace: 'return this.pageCount > 0;',
	},
	// Beginnings and ends
	{
		name: 'the subscription is removed before it is read',
		file: 'trigger/lifecycle.ts',
		find: 'if (trigger?.wish.isUnread === true) learnWish',
		replace: 'if (trigger === null) learnWish',
		foundBy: 'trigger.wish.test.mts',
	},
	{
		name: 'a start that finds no subscription tells nobody',
		file: 'trigger/watch/reportLoss.ts',
		find: 'if (gap === undefined) return;',
		replace: 'if (gap !== null) return;',
	},
	{
		name: 'an event that a publish adds counts since before',
		file: 'trigger/state/wish.ts',
		find: 'this.sinceOf(event) ?? now]',
		replace: 'this.sinceOf(event) ?? Math.min(now, this.firstTime)]',
	},
	{
		name: 'a URL that n8n has closed counts as open',
		file: 'trigger/lifecycle.ts',
		find: 'trigger.publication.closeUrl(url);',
		replace: '',
		foundBy: 'trigger.watch.test.mts',
	},
	{
		name: 'a publish after an unpublish goes on where it was',
		file: 'trigger/state/trigger.ts',
		find: 'if (!this.publication.goesOn) this.begin();',
		replace: 'if (this.wish.isUnread) this.begin();',
	},
	{
		name: 'a new beginning adopts what it finds',
		file: 'trigger/subscription/reconcile.ts',
		find: 'const kept = isNewBeginning ? undefined : findDesired(own, desired);',
		replace: 'const kept = findDesired(own, desired);',
		foundBy: 'trigger.wish.test.mts',
	},
	{
		name: 'a start that takes long counts as a publish',
		file: 'trigger/state/publication.ts',
		find: "return this.mode.name === 'up' && this.mode.isBoot;",
		replace: 'return false;',
		foundBy: 'trigger.wish.test.mts',
	},
	{
		name: 'a change ends what a person wants',
		file: 'trigger/state/publication.ts',
		find: "return mode.name === 'up' || (mode.name === 'down' && !isLongAgo(mode.since));",
		replace: "return mode.name === 'up';",
	},
	{
		name: 'after a start, what static data knows is asked about again',
		file: 'trigger/state/starts.ts',
		find: "newStart(this.doneBefore.has(record.key) ? 'done' : 'idle', now)",
		replace: "newStart('idle', now)",
		foundBy: 'trigger.missedForms.once.test.mts',
	},
	{
		name: 'what was recorded lately is not written with other keys',
		file: 'trigger/starts/recordStarts.ts',
		find: 'await processedOf(context, [...keys, ...again])',
		replace: 'await processedOf(context, keys)',
		foundBy: 'trigger.execute.test.mts',
	},
	{
		name: 'a late execution does not mind its repetition',
		file: 'trigger/starts/turn.ts',
		find: 'return meetsRepetition ? delay + roundMs : delay;',
		replace: 'return delay;',
		foundBy: 'starts/turn.test.mts',
	},
	// Since when events count
	{
		name: 'of two subscriptions to the URL the older one counts',
		file: 'trigger/subscription/learnWish.ts',
		find: '(creationTime(other) ?? 0) - (creationTime(one) ?? 0)',
		replace: '(creationTime(one) ?? 0) - (creationTime(other) ?? 0)',
		foundBy: 'trigger.wish.test.mts',
	},
	{
		name: 'what was taken down goes on, however long ago',
		file: 'trigger/state/publication.ts',
		find: "(mode.name === 'down' && !isLongAgo(mode.since))",
		replace: "mode.name === 'down'",
	},
	{
		name: 'an event that is chosen no longer keeps its time',
		file: 'trigger/state/wish.ts',
		find: 'this.mode = { ...known, since };',
		replace: 'void since;',
		foundBy: 'state/wish.test.mts',
	},
	{
		name: 'a subscription that the list does not show yet is the only one',
		file: 'trigger/subscription/reconcile.ts',
		find: 'const mayBeHidden = isNew && isCreatedHere && own.every(({ id }) => id !== knownId);',
		replace: 'const mayBeHidden = false;',
		foundBy: 'trigger.watch.test.mts',
	},
	// What is told
	{
		name: 'a loss is told though Argyle has never named a call',
		from: FIRST_WITH_OTHERS,
		file: 'trigger/state/witness.ts',
		find: "this.trust !== 'matched' || ",
		replace: '',
	},
	{
		name: 'a suspicion stays when the next call has come',
		from: FIRST_WITH_OTHERS,
		file: 'trigger/state/witness.ts',
		find: 'this.suspected = sentAt > callAt + SENT_TOLERANCE_MS ? (before ?? first) : undefined;',
		replace: 'this.suspected = sentAt > callAt + SENT_TOLERANCE_MS ? (before ?? first) : before;',
		foundBy: 'state/witness.test.mts',
	},
	{
		name: 'a call that comes before the first look counts as lost',
		from: FIRST_WITH_OTHERS,
		file: 'trigger/state/witness.ts',
		find: ' && !isNear(sentAt, callAt)',
		replace: '',
		foundBy: 'state/witness.test.mts',
	},
	{
		name: 'when n8n last ran, another trigger may save hours later',
		from: FIRST_WITH_OTHERS,
		file: 'trigger/state/trigger.ts',
		find: 'forgetLook(staticData);',
		replace: 'void forgetLook;',
		foundBy: 'trigger.loss.test.mts',
	},
	{
		name: 'what nobody can know is told at each look',
		file: 'trigger/state/notes.ts',
		find: 'this.content = undefined;',
		replace: '',
	},
	// Several main processes, and several workflows
	{
		name: 'a new leader goes on with what it knew when it led before',
		from: FIRST_WITH_TWO_MAINS,
		file: 'trigger/watch/watch.ts',
		find: 'isNewLeader ? Trigger.ofNewLeader(context) : Trigger.of(context)',
		replace: 'isNewLeader === null ? Trigger.ofNewLeader(context) : Trigger.of(context)',
	},
	{
		name: 'a new leader takes its first call for that of a person who publishes',
		from: FIRST_WITH_TWO_MAINS,
		file: 'trigger/state/publication.ts',
		find: "['init', 'leadershipChange'].includes(activationMode)",
		replace: "activationMode === 'init'",
	},
	{
		name: 'a main process that leads no more counts the trigger as published there',
		from: FIRST_WITH_TWO_MAINS,
		file: 'trigger/state/publication.ts',
		find: 'this.mode.watch === watch) this.takeDown();',
		replace: 'this.mode.watch === watch) this.mode = { ...this.mode, watch: undefined };',
	},
	{
		name: 'a copied workflow shares what is known of the first one',
		from: FIRST_WITH_SECOND,
		file: 'trigger/state/trigger.ts',
		find: '`${context.getWorkflow().id} ${context.getNode().id}`',
		replace: '`${context.getNode().id}`',
	},
	{
		name: 'subscriptions of other workflows count as own',
		from: FIRST_WITH_SECOND,
		file: 'trigger/watch/sharedLists.ts',
		find: '.filter((subscription) => isSameUrl(subscription.url, url))',
		replace: '.filter(({ url: other }) => isSameUrl(other, url) || url !== other)',
		foundBy: 'watch/sharedLists.test.mts',
	},
	// Retry by a person, and a deployment by a script
	{
		name: 'a retry drops an event that has started before',
		isInLife: true,
		file: 'trigger/execute.ts',
		find: 'isRetry || isFirst[index] ? event',
		replace: 'isFirst[index] ? event',
	},
	{
		name: 'what a script deploys begins anew',
		isInLife: true,
		file: 'trigger/state/publication.ts',
		find: '!isLongAgo(mode.since)',
		replace: 'isLongAgo(mode.since)',
	},
];
