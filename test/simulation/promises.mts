import type { Execution } from './database.mts';
import {
	endedUnsaved,
	type Excuse,
	isUnsettled,
	knowsOnlyFormerN8n,
	mayBeUndone,
	mayBringBackBeginning,
	mayBringBackPause,
	mayForgetChange,
	takesCallsElsewhere,
} from './givenUp.mts';
import { keyOf, keyOfItem, type Occurrence, type OtherEvent, FOUND_BY } from './occurrences.mts';
import { isAlarm, isTold, isToldLate, tellingFindings } from './telling.mts';
import type { Fate } from './wishes.mts';
import type { World } from './world.mts';

export type PromiseName =
	| 'lost'
	| 'twice'
	| 'unasked'
	| 'without user'
	| 'others'
	| 'untold'
	| 'false alarm'
	| 'failures in the calm'
	| 'subscriptions'
	| 'requests';

/** A promise that a world broke, unless there is an excuse. */
export interface Violation {
	promise: PromiseName;
	what: string;
	excuse?: Excuse;
}

/** What a world was like. */
export interface Figures {
	forms: number;
	/** Of other kinds, as far as they are chosen. */
	events: number;
	wanted: number;
	executions: number;
	/** Executions that ended at the trigger. */
	empty: number;
}

const timeOf = (ms: number) => new Date(ms).toISOString().slice(11, 23);

/** An execution asks for a minute whose the form is. */
const COMPLETION_MS = 70_000;

/** The first look after a publish comes by then. */
const FIRST_LOOK_MS = 10_000;

/** A subscription that is not as it should be is found within this time, also where looks are held up. */
const REPAIR_MS = 900_000;

/** An event is delivered by then, also one that comes late, and again. */
const REPEATED_WITHIN_MS = 180_000;

/** Whether something was away in so many milliseconds before. */
const isTroubled = ({ troubles }: World, at: number, ms: number) =>
	troubles.some(([from, to]) => from <= at && to >= at - ms);

const retriedIn = ({ installations }: World) => new Set(installations.flatMap(({ n8n }) => [...n8n.retried]));

const stoppedIn = ({ installations }: World) => new Set(installations.flatMap(({ n8n }) => [...n8n.stopped]));

/**
 * The executions of an event that had to wait for room. When one of them begins is n8n's affair: with room for three
 * that take 20 minutes each, it gets hours behind, and a move leaves those that still wait in the former n8n.
 */
const waitersOf = ({ installations }: World, key: string): Execution[] =>
	installations
		.flatMap(({ n8n }) => n8n.database.executions)
		.filter(({ waitsSince, items }) => waitsSince !== undefined && items.some(({ json }) => keyOfItem(json) === key));

const isStillWaiting = ({ status }: Execution) => status === 'new';

/** Whether an event started the workflow after `until`, and not because its execution waited. */
const isTooLate = (world: World, key: string, starts: Array<{ at: number }>, until: number) =>
	starts.some(({ at }) => at > until) && !waitersOf(world, key).some(({ waitsSince }) => Number(waitsSince) <= until);

/** Whom a person has an execution run again for, it goes on. */
function retryViolations({ installations }: World): Violation[] {
	const empty = installations
		.flatMap(({ n8n }) => n8n.database.executions)
		.filter(({ mode, status, isOutAtTrigger }) => mode === 'retry' && status === 'success' && isOutAtTrigger);
	const ofOneEvent = empty.filter(({ items }) => items.length === 1 && keyOfItem(items[0].json) !== 'undefined');
	return ofOneEvent.map(({ id }) => ({
		promise: 'lost',
		what: `execution ${id} is a retry, and ended at the trigger`,
	}));
}

function formFindings(world: World): { violations: Violation[]; wanted: number } {
	const violations: Violation[] = [];
	let wanted = 0;
	const [stopped, retried] = [stoppedIn(world), retriedIn(world)];
	for (const { forms } of world.argyle.tenants.values())
		for (const form of forms.all) {
			const starts = world.starts.filter((start) => start.form === form.id);
			const ofForms = world.installations.map(({ wishes }) => wishes.forms);
			const fates = ofForms.map((wishes) => wishes.fateOf(form, world.troubles));
			// What the first look shows with a date in the future was there before the publish.
			const isAhead = form.createdAt > form.submittedAt + FIRST_LOOK_MS;
			const isSteady = ofForms.some((wishes) => wishes.isSteady(form.submittedAt - FIRST_LOOK_MS, form.submittedAt));
			const until = Math.max(...ofForms.map((wishes) => wishes.startsUntil(form)));
			const isWanted = fates.includes('once') && !stopped.has(form.id);
			if (isWanted) wanted++;
			const what = `form of ${timeOf(form.submittedAt)} (${form.id.slice(0, 8)}) started at ${starts.map(({ at }) => timeOf(at)).join(', ') || 'no time'}`;
			const lossExcuse = (): Excuse | undefined => {
				if (isTold(world, form.submittedAt)) return 'gap';
				if (isToldLate(world, form.submittedAt)) return 'late';
				if (ofForms.some((wishes) => wishes.wasKilled(form)) || endedUnsaved(world, form.submittedAt)) return 'killed';
				if (isAhead && !isSteady) return 'future';
				if (knowsOnlyFormerN8n(world)) return 'imported';
				return mayBringBackBeginning(world) ? 'pause' : undefined;
			};
			if (isWanted && starts.length === 0 && !waitersOf(world, form.id).some(isStillWaiting))
				violations.push({ promise: 'lost', what, excuse: lossExcuse() });
			if (starts.length > 1 && !retried.has(form.id)) {
				const excuse = isUnsettled(world, starts) ? 'worker' : isAhead ? 'future' : undefined;
				violations.push({ promise: 'twice', what, excuse });
			}
			for (const { user, at } of starts)
				if (user !== form.user && !world.argyle.goneAccounts.has(form.account) && !isTroubled(world, at, COMPLETION_MS))
					violations.push({ promise: 'without user', what: `${what} with user ${String(user)}` });
			const pause = mayBringBackPause(world) ? 'pause' : undefined;
			if (starts.length > 0 && fates.every((fate) => fate === 'never'))
				violations.push({ promise: 'unasked', what, excuse: isAhead ? 'future' : pause });
			else if (isTooLate(world, form.id, starts, until) && !retried.has(form.id))
				violations.push({ promise: 'unasked', what: `${what}, Catch Up was off`, excuse: pause });
		}
	return { violations, wanted };
}

/** One record can have several of an event, such as a verification, and no item tells which it is: they are counted. */
function otherFindings(world: World): { violations: Violation[]; wanted: number } {
	const violations: Violation[] = [];
	const [stopped, retried] = [stoppedIn(world), retriedIn(world)];
	let wanted = 0;
	const groups = new Map<string, Occurrence[]>();
	for (const occurrence of world.happenings.occurrences) {
		const key = keyOf(occurrence.event, occurrence.record);
		groups.set(key, [...(groups.get(key) ?? []), occurrence]);
	}
	for (const [key, occurrences] of groups) {
		const starts = world.otherStarts.filter((start) => start.key === key);
		const [{ event }] = occurrences;
		if (!world.others.events.includes(event)) continue;
		const fates = occurrences.map((occurrence) => fateIn(world, occurrence));
		const isSure = (fate: Fate, place: number) => fate === 'once' && occurrences[place]?.isListed;
		const sure = stopped.has(key) ? 0 : fates.filter(isSure).length;
		const possible = fates.filter((fate) => fate !== 'never').length;
		const until = Math.max(...occurrences.map((occurrence) => startsUntil(world, occurrence)));
		const what = `${key} of ${occurrences.map((each) => timeOf(each.submittedAt)).join(', ')} started at ${starts.map(({ at }) => timeOf(at)).join(', ') || 'no time'}`;
		if (FOUND_BY[event] !== 'nothing') {
			if (FOUND_BY[event] === 'list') wanted += sure;
			const isLost = FOUND_BY[event] === 'list' && starts.length < sure;
			if (isLost && starts.length + waitersOf(world, key).filter(isStillWaiting).length < sure)
				violations.push({ promise: 'lost', what, excuse: lossExcuse(world, occurrences) });
			// What no list shows has no key, and comes twice while one subscription replaces another. Each may send it again.
			const copies = world.quirks.repeated > 0 ? 3 : 1;
			const unlisted = copies * occurrences.filter(({ isListed }) => !isListed).length;
			const isTwice =
				starts.length > occurrences.length + unlisted && until === Infinity && !isEachWanted(world, occurrences);
			if (isTwice && !retried.has(key)) {
				const isUnclear = isUnread(world, event, occurrences, starts);
				const excuse = isUnsettled(world, starts) ? 'worker' : isUnclear ? 'record' : undefined;
				violations.push({ promise: 'twice', what, excuse });
			}
		}
		const pause = mayBringBackPause(world) ? 'pause' : undefined;
		if (starts.length > 0 && possible === 0) {
			const isMoved = event === 'accounts.connection_lost' && takesCallsElsewhere(world);
			violations.push({ promise: 'unasked', what, excuse: pause ?? (isMoved ? 'moved' : undefined) });
		} else if (isTooLate(world, key, starts, until) && !retried.has(key))
			violations.push({ promise: 'unasked', what: `${what}, Catch Up was off`, excuse: pause });
	}
	return { violations, wanted };
}

function lossExcuse(world: World, occurrences: Occurrence[]): Excuse | undefined {
	// A report counts by when it was asked for.
	if (occurrences.some((each) => isTold(world, each.submittedAt) || isTold(world, each.requestedAt))) return 'gap';
	if (occurrences.some((each) => isToldLate(world, each.submittedAt))) return 'late';
	const wasKilled = (each: Occurrence) =>
		world.installations.some(({ wishes }) => wishes.others.wasKilled(each)) || endedUnsaved(world, each.submittedAt);
	if (occurrences.some(wasKilled)) return 'killed';
	if (knowsOnlyFormerN8n(world)) return 'imported';
	return occurrences.some((each) => mayForgetChange(world, each)) ? 'change' : undefined;
}

/** Whether Catch Up was off, so that each delivery starts the workflow, also one that Argyle repeats. */
const isEachWanted = ({ installations }: World, occurrences: Occurrence[]) =>
	installations.some(({ wishes: { others } }) =>
		occurrences.some(({ submittedAt: at }) => others.isForDelivered(at, at + REPEATED_WITHIN_MS)),
	);

/** Whether the record could not be read that tells which event was delivered. */
function isUnread(world: World, event: OtherEvent, occurrences: Occurrence[], starts: Array<{ at: number }>): boolean {
	const isRead = FOUND_BY[event] === 'scan' || ['verifications.updated', 'reports.generated'].includes(event);
	const isLate = occurrences.some(({ listedAt, submittedAt }) => listedAt > submittedAt);
	return isRead && (isLate || starts.some(({ at }) => isTroubled(world, at, COMPLETION_MS)));
}

/** Without Catch Up, nothing says since when a lost connection counts: a refresh of the account tells of it again. */
const FRESH_LOSS_MS = 60 * 60_000;

function fateIn(world: World, occurrence: Occurrence): Fate {
	const { installations, troubles } = world;
	const { event, requestedAt, submittedAt } = occurrence;
	const isForDelivered = ({ wishes: { others } }: World['installations'][number]) =>
		others.isForDelivered(submittedAt, submittedAt + FRESH_LOSS_MS);
	if (event === 'accounts.connection_lost' && installations.some(isForDelivered)) return 'at most once';
	const fates = installations.map(({ wishes: { others } }) => {
		const fate = others.fateOf(occurrence, troubles);
		return fate === 'once' && !others.isSteady(requestedAt, submittedAt) ? 'at most once' : fate;
	});
	if (fates.includes('once')) return 'once';
	return fates.every((fate) => fate === 'never') ? 'never' : 'at most once';
}

const startsUntil = ({ installations }: World, occurrence: Occurrence) =>
	Math.max(...installations.map(({ wishes }) => wishes.others.startsUntil(occurrence)));

/** Exactly one for a published trigger that is delivered to, none for others. What stayed in an outage may stay. */
function subscriptionViolations(world: World): Violation[] {
	const violations: Violation[] = [];
	for (const [place, { n8n, wishes }] of world.installations.entries()) {
		const { published } = n8n.database;
		const isCurrent = place === world.installations.length - 1;
		for (const { name, subscriptions } of world.argyle.tenants.values()) {
			const count = [...subscriptions.values()].filter(({ url }) => url === n8n.surroundings.url).length;
			const isOn =
				isCurrent && published?.trigger === 'on' && published.receiveBy === 'webhook' && published.tenant === name;
			if (isOn && !n8n.publication.hasFailed && count !== 1)
				violations.push({ promise: 'subscriptions', what: `${count} in ${name} to the published trigger` });
			const { from, to } = wishes.unsubscribed(name);
			if (!isOn && count > 0 && !isTroubled(world, to, to - from + REPAIR_MS))
				violations.push({ promise: 'subscriptions', what: `${count} in ${name} that nobody wants` });
		}
	}
	return violations;
}

/** A look every five minutes, every minute when it asks for forms; nothing is registered or removed. */
function requestViolations(world: World): Violation[] {
	const published = world.workflows.map(({ current }) => current.n8n.database.published);
	const watched = published.filter((version) => version !== undefined).filter(({ trigger }) => trigger === 'on');
	const minutes = (world.calm.to - world.calm.from) / 60_000;
	// What no delivery is known of, such as a report that failed, is looked at twice more in the next minute.
	const recent = world.happenings.occurrences.filter(({ submittedAt: at }) => at >= world.calm.from - REPAIR_MS);
	const again = 2 * recent.length;
	const allowed = watched
		.map(({ receiveBy }) => (receiveBy === 'polling' ? minutes + 2 : minutes / 5 + 2 + again))
		.reduce((sum, looks) => sum + looks, 0);
	const { looks, changes, all } = world.argyle.requestsBetween(world.calm.from, world.calm.to);
	const violations: Violation[] = [];
	if (looks > allowed)
		violations.push({ promise: 'requests', what: `${looks} looks in the calm, ${allowed} are allowed` });
	if (changes > 0) violations.push({ promise: 'requests', what: `${changes} subscriptions changed in the calm` });
	if (watched.length === 0 && all > 0)
		violations.push({ promise: 'requests', what: `${all} requests, and nothing is published` });
	return violations;
}

interface Judgement {
	violations: Violation[];
	excused: Violation[];
	figures: Figures;
}

/** Checks what README says that "published" means, in a world that has run. */
export function judge(world: World): Judgement {
	const { findings, figures } = judgeWorkflow(world);
	findings.push(...requestViolations(world));
	if (world.second !== undefined) {
		const second = judgeWorkflow(world.second);
		findings.push(...second.findings.map((each) => ({ ...each, what: `second workflow: ${each.what}` })));
		for (const name of ['wanted', 'executions', 'empty'] as const) figures[name] += second.figures[name];
	}
	const violations = findings.filter(({ excuse }) => excuse === undefined);
	return { violations, excused: findings.filter(({ excuse }) => excuse !== undefined), figures };
}

function judgeWorkflow(world: World): { findings: Violation[]; figures: Figures } {
	const ofForms = formFindings(world);
	const ofOthers = otherFindings(world);
	const findings = [
		...ofForms.violations,
		...ofOthers.violations,
		...tellingFindings(world),
		...retryViolations(world),
	];
	const { from, to } = world.calm;
	const failures = world.failures.filter(({ at, message }) => at >= from && at < to && !isAlarm(message));
	for (const { message } of failures) findings.push({ promise: 'failures in the calm', what: message });
	for (const { n8n } of world.installations)
		for (const saving of n8n.database.spoiled)
			findings.push({
				promise: 'others',
				what: saving.what,
				excuse: mayBeUndone(world, saving) ? 'undone' : undefined,
			});
	findings.push(...subscriptionViolations(world));
	const executions = world.installations.flatMap(({ n8n }) => n8n.database.executions);
	const forms = [...world.argyle.tenants.values()].reduce((sum, tenant) => sum + tenant.forms.all.length, 0);
	const empty = executions.filter(({ isOutAtTrigger }) => isOutAtTrigger).length;
	const events = world.happenings.occurrences.filter(({ event }) => world.others.events.includes(event)).length;
	const wanted = ofForms.wanted + ofOthers.wanted;
	return { findings, figures: { forms, wanted, events, executions: executions.length, empty } };
}
