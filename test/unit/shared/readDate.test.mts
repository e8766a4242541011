import { DateTime } from 'luxon';
import { readDate, readDay, readEndDate } from '../../../nodes/Argyle/shared/readDate';

/** What is no whole day, or can mean two. */
const NO_DATES = [
	...[
		'soon',
		'11/01/2026',
		'2026-13-01',
		'2026-02-30',
		'7',
		'2026',
		2026,
		'2026-11',
		'202611',
		'2026-W05',
		'2026-W05-3',
	],
	...['2026-305', '2026305', '10:00', 'T10:00', '2026-1-5', 1_793_491_200_000, true, new Date(NaN)],
	...['2026-11-01 soon', { day: 1 }, ['2026-11-01', '2026-11-02']],
];

const refusal = (value: unknown, read = readDay) => {
	try {
		return read(value, 'Birth Date', 'UTC');
	} catch (error) {
		return error;
	}
};

describe('readDate', () => {
	const read = (value: unknown, timeZone: string) => readDate(value, 'Created After', timeZone);

	// Two zones, so that one differs from the zone of the process, whichever that is.
	it.each([
		['2026-11-01T00:00:00', 'Europe/Berlin', '2026-10-31T23:00:00.000Z'],
		['2026-11-01T00:00:00', 'America/New_York', '2026-11-01T04:00:00.000Z'],
		['2026-11-02T00:00:00', 'America/New_York', '2026-11-02T05:00:00.000Z'],
		['2026-10-25T00:00:00', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'],
		['2026-10-26T00:00:00', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
		['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
		[' 2026-11-01 08:30:00 ', 'Europe/Berlin', '2026-11-01T07:30:00.000Z'],
		['20261101T083000', 'Europe/Berlin', '2026-11-01T07:30:00.000Z'],
	])('reads %p, which has no offset, as a time in %s', (text, timeZone, utc) => expect(read(text, timeZone)).toBe(utc));

	it.each([
		'2026-11-01T00:00:00Z',
		'2026-10-31T20:00:00.000-04:00',
		'2026-11-01 01:00:00+01:00',
		'"2026-11-01T00:00:00Z"',
		new Date('2026-11-01T00:00:00Z'),
		DateTime.fromISO('2026-11-01T00:00:00Z', { zone: 'Asia/Tokyo' }),
	])('keeps the moment that %s names, whatever the time zone of the workflow', (value) => {
		for (const timeZone of ['Europe/Berlin', 'America/New_York'])
			expect(read(value, timeZone)).toBe('2026-11-01T00:00:00.000Z');
	});

	// In London, the second of the two hours has the offset of UTC.
	it.each([
		['America/New_York', '2026-11-01', '05:30', '06:30'],
		['Europe/London', '2026-10-25', '00:30', '01:30'],
	])('in %s, where 01:30 of %s comes twice, a range from then to then has both', (timeZone, day, first, second) => {
		const text = `${day} 01:30`;
		const moments = [first, second].map((time) => `${day}T${time}:00.000Z`);
		expect([read(text, timeZone), readEndDate(text, 'To', timeZone)]).toEqual(moments);
		for (const edge of ['from', 'to'] as const)
			for (const moment of moments)
				for (const value of [moment, new Date(moment), DateTime.fromISO(moment, { zone: timeZone })])
					expect(readDate(value, 'Created Before', timeZone, edge)).toBe(moment);
		expect(readDate(text, 'Created Before', timeZone, 'to')).toBe(moments[1]);
	});

	it.each(NO_DATES)('refuses %p as a time', (value) =>
		expect(() => read(value, 'UTC')).toThrow('Created After is not a date'),
	);
});

const ZONES = ['America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'Pacific/Auckland', 'UTC'];

/** Each way in which a day comes to a field, given the time zone of the workflow. */
const DAYS: Array<[kind: string, value: (zone: string) => unknown]> = [
	['an ISO day', () => '1980-10-30'],
	['an ISO time in UTC', () => '1980-10-30T00:00:00Z'],
	["a Date's toISOString", () => new Date('1980-10-30').toISOString()],
	['a Date at midnight in UTC', () => new Date('1980-10-30')],
	['a Luxon DateTime in the zone', (zone) => DateTime.fromISO('1980-10-30', { zone })],
	['a Luxon DateTime made from such a Date', (zone) => DateTime.fromJSDate(new Date('1980-10-30'), { zone })],
	[
		'the text that n8n makes of a Date at midnight in the zone',
		(zone) => DateTime.fromISO('1980-10-30', { zone }).toJSDate().toISOString(),
	],
	['SQL text', () => '1980-10-30 00:00:00'],
	["the picker's day", () => '1980-10-30'],
	["an older picker's day with a time", () => '1980-10-30T00:00:00'],
	['a day without dashes', () => 19801030],
];

describe('readDay', () => {
	it.each(DAYS)('reads %s as that day, in whichever time zone the workflow is', (_, valueIn) =>
		expect(ZONES.map((zone) => [zone, readDay(valueIn(zone), 'Birth Date', zone)])).toEqual(
			ZONES.map((zone) => [zone, '1980-10-30']),
		),
	);

	it.each([
		['2026-11-01T23:59:59', '2026-11-01'],
		['2026-11-01T19:00:00', '2026-11-01'],
		['2026-11-01T23:00:00-11:00', '2026-11-01'],
		[DateTime.fromISO('2026-11-01T00:30:00', { zone: 'Asia/Tokyo' }), '2026-11-01'],
	])('reads %p, which is no midnight in UTC, as the day %s where it was written', (value, day) => {
		for (const zone of ZONES) expect(readDay(value, 'From', zone)).toBe(day);
	});

	it('reads a Date that is no midnight in UTC in the time zone of the workflow', () => {
		const date = new Date('2026-11-01T00:30:00Z');
		expect(readDay(date, 'From', 'Europe/Berlin')).toBe('2026-11-01');
		expect(readDay(date, 'From', 'America/New_York')).toBe('2026-10-31');
		expect(readDay(new Date('2026-11-01T04:00:00Z'), 'From', 'America/New_York')).toBe('2026-11-01');
	});

	it.each(NO_DATES)('refuses %p as a day', (value) =>
		expect(() => readDay(value, 'From', 'UTC')).toThrow('From is not a date'),
	);

	it.each(['', '  ', null, undefined, []])('says of %p that the day is missing', (value) =>
		expect(() => readDay(value, 'Hire Date', 'UTC')).toThrow('Hire Date is missing'),
	);
});

/** What is entered, and the day that it means by each expression that is advised. */
const ADVISED: Array<[entered: number | string, days: string[]]> = [
	['10/30/1980', ['1980-10-30']],
	['1/5/1980', ['1980-01-05', '1980-05-01']],
	['30/10/1980', ['1980-10-30']],
	['30.10.1980', ['1980-10-30']],
	['10.11.1980', ['1980-11-10']],
	['10-30-1980', ['1980-10-30']],
	['10/30/80', ['1980-10-30']],
	[44135, ['2020-10-31']],
	['44135', ['2020-10-31']],
	[44135.5, ['2020-10-31']],
];

describe('a date in another order', () => {
	it.each(ADVISED)('%p is refused with each expression that turns it', (entered, days) => {
		const { description } = Object(refusal(entered));
		expect(description).toContain(`There is "${entered}".`);
		const expressions = [...String(description).matchAll(/\{\{ (.*?) \}\}/g)].map(([, expression = '']) => expression);
		const turned = expressions.map((expression): unknown =>
			new Function('DateTime', '$json', `return ${expression}`)(DateTime, { date: entered }),
		);
		expect(turned).toEqual(days);
	});

	it.each([
		['31/31/1980', 'Enter a date such as 2026-11-01'],
		['October 30, 1980', 'There is "October 30, 1980". Enter a date such as 2026-11-01'],
		['SSN 522 09 1192', 'There is "SSN •••".'],
		[522_09_1192, 'There is "•••".'],
	])('%p is refused with %s', (entered, advice) =>
		expect(refusal(entered)).toMatchObject({
			message: 'Birth Date is not a date',
			description: expect.stringContaining(advice),
		}),
	);
});
