import type { ITriggerFunctions } from 'n8n-workflow';

import { CONNECTION_LOST, EVENT_TYPES, eventNames } from '../../api/events';
import { ruleOf } from '../../api/eventRules';
import { isScanned, sourceOf } from '../../api/eventSources';
import { CREATED_AFTER } from '../../api/filters';
import { titleCase } from '../../api/recordTypes';
import { ArgyleError } from '../../transport/errors';
import { caughtUpEvents, isChosen, type TriggerSettings } from '../state/settings';
import type { Watched } from '../state/watched';
import type { Loss } from '../state/witness';
import { reportFailure } from './trouble';

/** How many events and operations are named at most. */
const MAX_NAMED = 5;

function listed(names: string[]): string {
	const [first = '', ...others] = [...new Set(names)];
	const more = others.length < MAX_NAMED ? '' : ' and others';
	return [first, ...others.slice(0, MAX_NAMED - 1)].join(', ') + more;
}

function operationFor(event: string): string[] {
	const rule = ruleOf(event);
	if (rule === undefined || rule.by === 'nothing') return [];
	const { one } = rule.by === 'id' ? rule.ids[0].recordType : rule.recordType;
	return [`${titleCase(one)}: Get Many`];
}

/** Returns the events that may have been lost: those that are not caught up. */
function lostEvents(settings: TriggerSettings, isScanFinding: boolean): typeof EVENT_TYPES {
	const chosen = eventNames(settings.events);
	const isFound = (event: string) => {
		const source = sourceOf(event);
		return source?.change?.isSentBefore !== true && (isScanFinding || !source || !isScanned(source));
	};
	const caughtUp = caughtUpEvents(settings).filter(isFound);
	const isSent = ({ name, takes }: (typeof EVENT_TYPES)[number]) =>
		isChosen(name, settings.events) && (takes !== 'items' || chosen.includes(name));
	return [...EVENT_TYPES, CONNECTION_LOST].filter((each) => isSent(each) && !caughtUp.includes(each.name));
}

/** The titles of the chosen events that the trigger does not find again. */
export const unfoundEvents = (settings: TriggerSettings): string[] =>
	lostEvents(settings, true).map(({ title }) => title);

const iso = (time: number) => new Date(time).toISOString();

/** In words: `from … to …`, or `before …` if nobody knows the beginning. */
const during = ({ after, until }: Loss) =>
	after === undefined ? `before ${iso(until)}` : `between ${iso(after)} and ${iso(until)}`;

function tell(context: ITriggerFunctions, message: string, advice: string): void {
	context.logger.warn(message);
	reportFailure(context, message, new ArgyleError(message, advice));
}

function compare(events: string[]): string {
	const operations = events.flatMap(operationFor);
	return operations.length === 0 ? '' : ` These operations show what is there now: ${listed(operations)}.`;
}

/**
 * Makes a failed execution that tells of a loss, unless every event that may have been lost is caught up anyway. An
 * event that only a scan of a whole list finds is caught up if the loss is later than `scannedFrom`.
 */
export function reportLoss({ context, settings }: Watched, loss: Loss | undefined, scannedFrom: number): void {
	if (loss === undefined) return;
	const lost = lostEvents(settings, Number(loss.after) >= scannedFrom);
	if (lost.length === 0) return;
	const message = `Argyle sent an event ${during(loss)} that n8n did not receive, so this workflow may not have run for it`;
	const advice = `It was one of: ${listed(lost.map(({ title }) => title))}, or several of them.${compare(lost.map(({ name }) => name))} Find out what kept Argyle from n8n's address at that time, such as a proxy or a tunnel.`;
	tell(context, message, advice);
}

/** Makes a failed execution that tells of a time of which nobody knows whether events counted. */
export function reportGap({ context, settings }: Watched, gap: Loss | undefined): void {
	if (gap === undefined) return;
	const chosen = [...EVENT_TYPES, CONNECTION_LOST].filter(({ name }) => isChosen(name, settings.events));
	const message = `Events ${during(gap)} may not have started this workflow, because n8n can't tell since when they count`;
	const advice = `What tells it is gone: the trigger's webhook subscription was deleted at Argyle, or with Checking for Events, the workflow's static data was lost or the Argyle account is another one. The trigger began anew.${compare(chosen.map(({ name }) => name))} Run the workflow for what is missing there.`;
	tell(context, message, advice);
}

/**
 * Makes a failed execution if the last look, at `lookedAt`, was so long ago that this look does not reach back to it.
 */
export function reportTooOld({ context, settings, trigger }: Watched, lookedAt: number | undefined): void {
	if (lookedAt === undefined) return;
	const { wish, starts } = trigger;
	const events = caughtUpEvents(settings);
	const time = { after: Math.max(lookedAt, wish.firstTime), until: starts.tooOldUntil };
	if (events.length === 0 || time.until <= time.after) return;
	const message = `Events ${during(time)} may not have started this workflow, because n8n did not look for them within a week`;
	const isDated = (event: string) => {
		const source = sourceOf(event);
		return source !== undefined && !source.change && source.recordType.filters.includes(CREATED_AFTER);
	};
	const operations = listed(events.filter(isDated).flatMap(operationFor));
	const dates = `Created After ${iso(time.after)}, without what was created after ${iso(time.until)}`;
	const run = operations && ` Run the workflow for what these bring with ${dates}: ${operations}.`;
	const changes = compare(events.filter((event) => !isDated(event)));
	tell(context, message, `n8n was away, or could not ask Argyle. It finds what is younger.${run}${changes}`);
}
