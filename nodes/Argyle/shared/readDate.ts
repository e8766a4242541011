import { DateTime } from 'luxon';

import { refused } from '../transport/errors';
import { isNothing, unquoted } from '../utils/coerce';
import { whatIsThere } from './parameters';

/**
 * Matches text that begins with a year, a month and a day. Luxon would also read 1980 or 2026-11, and add what is
 * missing.
 */
const BEGINS_WITH_DAY = /^\d{4}(-?)\d{2}\1\d{2}(?!\d)/;

const convertedBy = (expression: string) => `{{ ${expression}.toISODate() }}`;

/**
 * Returns the expression that reads a text with the year at its end, such as 10/30/1980. If either the day or the month
 * could come first, it returns two expressions.
 */
function formatAdvice(text: string): string | undefined {
	const parts = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text);
	if (parts === null) return undefined;
	const [, first, separator, second, year] = parts;
	const expressionFor = (letters: string) => {
		const tokens = [letters[0].repeat(first.length), letters[1].repeat(second.length), 'y'.repeat(year.length)];
		return convertedBy(`DateTime.fromFormat($json.date, '${tokens.join(separator)}')`);
	};
	// In a date with dots, the day comes first in every country.
	const monthFirst = Number(first) <= 12 && separator !== '.' ? expressionFor('Md') : undefined;
	const dayFirst = Number(second) <= 12 ? expressionFor('dM') : undefined;
	if (monthFirst === undefined || dayFirst === undefined) return monthFirst ?? dayFirst;
	return `${monthFirst} if the month comes first, or ${dayFirst} if the day does`;
}

/**
 * Returns the expression that reads a day as Sheets and Excel keep it: the number of days since 1899-12-30. Numbers of
 * five digits are days of the years 1927 to 2173.
 */
function serialAdvice(text: string): string | undefined {
	if (!/^\d{5}(\.\d+)?$/.test(text)) return undefined;
	return convertedBy("DateTime.fromISO('1899-12-30').plus({ days: $json.date })");
}

function adviceFor(text: string): string {
	const expression = formatAdvice(text) ?? serialAdvice(text);
	return expression === undefined
		? 'Enter a date such as 2026-11-01, or with a time, such as 2026-11-01 09:30.'
		: `Argyle needs a date such as 2026-11-01. This expression converts yours: ${expression}. Put the name of your field in place of date.`;
}

/**
 * Reads ISO or SQL text, a Date or a Luxon DateTime. Text without an offset, which n8n's date picker stores, is read in
 * `timeZone`. Text with an offset keeps this offset. Text that can mean two dates, such as 11/01/2026, is refused.
 */
function readTime(value: unknown, fieldName: string, timeZone: string): DateTime<true> {
	if (isNothing(value)) {
		throw refused(`${fieldName} is missing`, 'Enter a date such as 2026-11-01.');
	}
	const text = unquoted(String(value));
	const zone = { zone: timeZone, setZone: true };
	const readings =
		value instanceof Date
			? [DateTime.fromJSDate(value, { zone: timeZone })]
			: BEGINS_WITH_DAY.test(text)
				? [DateTime.fromISO(text, zone), DateTime.fromSQL(text, zone)]
				: [];
	const time = readings.find((reading): reading is DateTime<true> => reading.isValid);
	if (time !== undefined) return time;
	throw refused(`${fieldName} is not a date`, `${whatIsThere(value)} ${adviceFor(text)}`);
}

/** Which end of a range a time is. */
type Edge = 'from' | 'to';

/**
 * Returns a time in the form that Argyle takes: ISO 8601 in UTC. When clocks go back, an hour comes twice, and a time
 * without an offset can mean two moments. A range begins at the earlier one and ends at the later one, so that it
 * leaves nothing out.
 */
function inUtc(time: DateTime<true>, value: unknown, edge: Edge): string {
	const moments = value instanceof Date ? [time] : time.getPossibleOffsets();
	return moments[edge === 'from' ? 0 : moments.length - 1].toUTC().toISO();
}

/** As `inUtc`, for what a field holds. */
export function readDate(value: unknown, fieldName: string, timeZone: string, edge: Edge = 'from'): string {
	return inUtc(readTime(value, fieldName, timeZone), value, edge);
}

const isMidnight = (time: DateTime) => +time === +time.startOf('day');

/** A day without a time: as people write it, or as n8n's date picker stores it. */
const WHOLE_DAY = /^\d{4}(-?)\d{2}\1\d{2}([T ]00:00(:00(\.0+)?)?)?$/;

/** As `readDate`, for the end of a range. A day without a time means the last millisecond of this day. */
export function readEndDate(value: unknown, fieldName: string, timeZone: string): string {
	const time = readTime(value, fieldName, timeZone);
	const isWholeDay = WHOLE_DAY.test(unquoted(String(value)));
	return inUtc(isWholeDay ? time.endOf('day') : time, value, 'to');
}

/**
 * Returns the day of a time, such as 2026-11-01. Which day this is depends on how the time is written:
 *
 * - A Date, or text with an offset, that is midnight in UTC: the day in UTC. Databases and `new Date('2026-11-01')`
 *   write a day in this way.
 * - Text in UTC that is midnight in `timeZone`: the day in `timeZone`. n8n writes a Date in this way.
 * - Anything else: the day at the offset of the text, or in `timeZone` if there is no offset.
 */
export function readDay(value: unknown, fieldName: string, timeZone: string): string {
	const time = readTime(value, fieldName, timeZone);
	const utc = time.toUTC();
	const here = readTime(time.toJSDate(), fieldName, timeZone);
	// A value with an offset is the same moment in every time zone.
	const isMoment = +readTime(value, fieldName, 'utc') === +time;
	if (isMoment && isMidnight(utc)) return utc.toISODate();
	const isWrittenInUtc = isMoment && time.offset === 0;
	return (isWrittenInUtc && isMidnight(here) ? here : time).toISODate();
}

type NamedTime = [displayName: string | undefined, time: unknown];

/**
 * Throws ArgyleError when the first time is later than the second. A time is as `readDate` or `readDay` returns it, or
 * undefined.
 */
export function assertInOrder([from, start]: NamedTime, [to, end]: NamedTime): void {
	if (typeof start !== 'string' || typeof end !== 'string' || Date.parse(start) <= Date.parse(end)) return;
	throw refused(`${from} is later than ${to}`, 'Nothing can be in between: exchange the two dates.');
}
