import type { ITriggerFunctions } from 'n8n-workflow';

import { CONNECTION_LOST, EVENT_TYPES, eventNames } from '../../api/events';
import { ruleOf } from '../../api/eventRules';
import { isScanned, sourceOf } from '../../api/eventSources';
import { titleCase } from '../../api/recordTypes';
import { ArgyleError } from '../../transport/errors';
import type { Loss } from '../state/receivedCalls';
import { caughtUpEvents, isChosen, type TriggerSettings } from '../state/settings';
import { reportFailure } from './trouble';

/** How many events and operations are named at most. */
const MAX_NAMED = 5;

function listed(names: string[]): string {
	const [first, ...others] = [...new Set(names)];
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

/** Whether an event that does not arrive can be lost, because it is not caught up. */
export const canLoseEvents = (settings: TriggerSettings): boolean => lostEvents(settings, false).length > 0;

/**
 * Makes a failed execution that tells of a loss, unless every event that may have been lost is caught up anyway. An
 * event that only a scan of a whole list finds is caught up if the loss is later than `scannedFrom`.
 */
export function reportLoss(
	context: ITriggerFunctions,
	settings: TriggerSettings,
	{ after, until }: Loss,
	scannedFrom: number,
): void {
	const lost = lostEvents(settings, after >= scannedFrom);
	if (lost.length === 0) return;
	const [from, to] = [after, until].map((time) => new Date(time).toISOString());
	const operations = lost.flatMap(({ name }) => operationFor(name));
	const compare = operations.length === 0 ? '' : ` These operations show what is there now: ${listed(operations)}.`;
	const message = `Argyle sent an event between ${from} and ${to} that n8n did not receive, so this workflow may not have run for it`;
	const advice = `It was one of: ${listed(lost.map(({ title }) => title))}, or several of them.${compare} Find out what kept Argyle from n8n's address at that time, such as a proxy or a tunnel.`;
	context.logger.warn(message);
	reportFailure(context, message, new ArgyleError(message, advice));
}
