import type { Change } from './process.mts';

/** A mistake that a person could make in the trigger. */
interface PlantedFault extends Change {
	/** What goes wrong with it. */
	name: string;
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
		find: 'trigger.publication.succeed(webhookUrl(context));',
		replace: '',
	},
	// Deliveries
	{
		name: 'what can not be verified for now is refused for good',
		file: 'trigger/delivery/authentication.ts',
		find: "return isAnswered && derivedAgain !== undefined ? 'refused' : 'undecided';",
		replace: "return 'refused';",
		foundBy: 'trigger.secretLookup.test.mts',
	},
	{
		name: 'the process that asks its own URL takes its forms from itself',
		file: 'trigger/delivery/askOwnUrl.ts',
		find: 'publication.isWatchedHere ? [] : ',
		replace: '',
	},
	{
		name: 'static data is written in a call that has taken long',
		file: 'trigger/delivery/askOwnUrl.ts',
		find: 'if (isFresh(data, since, now)) writeState',
		replace: 'writeState',
	},
	// The machine of a start
	{
		name: 'a start that has begun can not be lost',
		file: 'trigger/state/start.ts',
		find: "listed: ['waiting', 'asked', 'begun'],",
		replace: "listed: ['waiting', 'asked'],",
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
		find: 'start.dropped++;',
		replace: '',
	},
	{
		name: 'a form dated in the future makes all others too old',
		file: 'trigger/state/starts.ts',
		find: 'Math.max(this.newest, Math.min(createdAt, serviceTime))',
		replace: 'Math.max(this.newest, createdAt)',
	},
	{
		name: 'an execution that failed in the trigger counts as done',
		file: 'trigger/starts/missedEvents.ts',
		find: 'else if (failedInTrigger(run, this.context.getNode().name)) starts.lose(key, now);',
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
		find: 'this.listed[countUpToBookmark(this.listed, this.doneCount, this.heldFrom) - 1]',
		replace: 'this.listed[this.doneCount - 1]',
		foundBy: 'state/starts.test.mts',
	},
	{
		name: 'what the list has shown before counts after a new beginning',
		file: 'trigger/state/trigger.ts',
		find: 'this.starts.beginAt(position);',
		replace: '',
	},
	{
		name: "a beginning is told by n8n's clock",
		file: 'trigger/starts/ensureBookmark.ts',
		find: 'return { time, key: newest?.key };',
		replace: 'return { time: Date.now(), key: newest?.key };',
	},
	{
		name: 'the bookmark of one account counts in another',
		file: 'trigger/state/trigger.ts',
		find: 'if (bookmark.keyDigest === keyDigest) return true;',
		replace: 'if (bookmark.keyDigest !== undefined) return true;',
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
	// When this execution ends, n8n saves its copy of static data. It ends at once, so nobody else has saved meanwhile.
	if (first.origin?.isSaving === true && first.origin.process === PROCESS_ID) {
		trigger.save(context);
		trigger.unsaved = 0;
	}
	const defined = definedIn(keys);
	const parts = keys.map((key, index) => (key === undefined ? undefined : keyOfPart(received[index].item, key)));
	// All keys are recorded together, so a killed execution leaves the doubt as it was.
	const recorded = [...defined, ...definedIn(parts), ...(doubt ? [markOf(doubt)] : [])];
	const started = await recordStarts(context, trigger.key, recorded, first.origin);`,
		replace: `const defined = definedIn(keys);
	const parts = keys.map((key, index) => (key === undefined ? undefined : keyOfPart(received[index].item, key)));
	const recorded = [...defined, ...definedIn(parts), ...(doubt ? [markOf(doubt)] : [])];
	const started = await recordStarts(context, trigger.key, recorded, first.origin);
	const events = await mapConcurrently(run, async (index, { signal }) => await complete(index, signal));`,
	},
	{
		name: 'a form that was recorded before goes on',
		file: 'trigger/execute.ts',
		find: 'return isRetry || key === undefined || started.delete(parts[index] ?? key) ? event : undefined;',
		replace: 'return event;',
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
	// Origin
	{
		name: 'the item does not bring along that its form is from before',
		file: 'trigger/state/origin.ts',
		find: 'isEarlier: isEarlier === true,',
		replace: '',
	},
	{
		name: 'the item does not bring along that its form is doubtful',
		file: 'trigger/state/origin.ts',
		find: "doubt: typeof doubt === 'string' ? doubt : undefined,",
		replace: '',
	},
	// Static data
	{
		name: 'each execution saves static data',
		file: 'trigger/execute.ts',
		find: 'trigger.moveBookmark();',
		replace: 'trigger.moveBookmark();\n\ttrigger.save(context);',
	},
	{
		name: "another n8n's bookmark counts",
		file: 'trigger/state/trigger.ts',
		find: 'if (!isOwn) return;',
		replace: '',
	},
	{
		name: 'static data forgets from when on forms were first wanted',
		file: 'trigger/state/staticData.ts',
		find: 'firstWantedAt: asTime(firstWantedAt),',
		replace: 'firstWantedAt: undefined,',
		foundBy: 'staticData.test.mts',
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
		find: 'isWaiting || isWithin(SHARED_READING_MS, since, now);',
		replace: 'isWaiting || since <= now;',
	},
	{
		name: 'a start with Checking for Events begins anew',
		file: 'trigger/watch/pollEvents.ts',
		find: 'if (startedAt !== undefined && trigger.bookmark === undefined) trigger.restoreBookmark(client, startedAt);',
		replace: '',
		foundBy: 'trigger.starts.test.mts',
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
		name: 'a URL that n8n has closed counts as open',
		file: 'trigger/lifecycle.ts',
		find: 'trigger.publication.closeUrl(url);',
		replace: '',
	},
	{
		name: 'a publish after an unpublish goes on where it was',
		file: 'trigger/lifecycle.ts',
		find: 'if (trigger.publication.isNewBeginning(context.getActivationMode())) trigger.beginAnew(context);',
		replace: '',
	},
	{
		name: 'a trigger that comes back goes on where it was',
		file: 'trigger/state/publication.ts',
		find: 'return last === undefined || isLongAgo(last);',
		replace: 'return last === undefined;',
	},
	{
		name: 'a start that takes long counts as a publish',
		file: 'trigger/state/publication.ts',
		find: 'return this.lateStart !== undefined;',
		replace: 'return false;',
	},
	{
		name: 'a trigger that was disabled counts as published at a start that takes long',
		file: 'trigger/watch/lookAfterSubscription.ts',
		find: 'isPublished ??= wasPublished(client, before, url);',
		replace: 'isPublished = true;',
		foundBy: 'trigger.starts.test.mts',
	},
	{
		name: 'after a start, what static data knows is asked about again',
		file: 'trigger/state/savedStarts.ts',
		find: 'return this.started.has(key);',
		replace: 'return false;',
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
];
