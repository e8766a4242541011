import { DateTime } from 'luxon';
import {
	isOn,
	readBoolean,
	readDate,
	readDay,
	readPositiveInteger,
	readUuid,
} from '../../../nodes/Argyle/shared/parameters';

describe('readUuid', () => {
	const id = '0187c66e-e7e5-811c-b006-2232f00f426a';

	it.each([` ${id} `, `"${id}"`, `' ${id} '`, `\`${id}\``, id.toUpperCase()])('reads %p as the UUID', (value) =>
		expect(readUuid(value, 'User')).toBe(id),
	);

	it.each([
		['', 'User is missing'],
		['  ', 'User is missing'],
		[undefined, 'User is missing'],
		[null, 'User is missing'],
		[7, 'User is not a valid ID'],
		['bob', 'User is not a valid ID'],
		['00000000-0000-4000-8000-0000000000b1', "User is the ID of a sample, which Argyle doesn't have"],
		[`"${id}'`, 'User is not a valid ID'],
		['null', 'User is not a valid ID'],
		[`${id}, ${id}`, 'User is not a valid ID'],
	])('refuses %p as a UUID: %s', (value, message) => expect(() => readUuid(value, 'User')).toThrow(message));

	it.each([
		['bob@example.com', 'There is "bob@example.com". Get Many tells those that there are; for a name or an e-mail'],
		['x'.repeat(50), `There is "${'x'.repeat(40)}…".`],
		[`${id} ${id}`, 'There are 2 IDs in the field: give one, or one for each item.'],
	])('says what stands in place of a UUID: %s', (value, advice) => {
		const description = expect.stringContaining(advice);
		expect(() => readUuid(value, 'User')).toThrow(expect.objectContaining({ description }));
	});
});

describe('readBoolean', () => {
	it.each([true, 'true', 'True', ' true ', '"true"', 1, '1'])('reads %p as on', (value) =>
		expect(readBoolean(value, 'Return All')).toBe(true),
	);

	it.each([false, 'false', 'FALSE', 0, '0'])('reads %p as off', (value) =>
		expect(readBoolean(value, 'Return All')).toBe(false),
	);

	it.each([undefined, null, '', 'yes', 2, NaN, {}, [true], ['true'], new String('true')])(
		'refuses %p as neither on nor off',
		(value) => expect(() => readBoolean(value, 'Return All')).toThrow('Return All is neither on nor off'),
	);
});

describe('isOn', () => {
	it.each([true, 'true', 1, 'yes', '', null, undefined, {}])('takes a protection that is set to %p for on', (value) =>
		expect(isOn({ protection: value }, 'protection')).toBe(true),
	);

	it.each([false, 'false', 0])('takes a protection that is set to %p for off', (value) =>
		expect(isOn({ protection: value }, 'protection', true)).toBe(false),
	);

	it('takes a protection that is not set for its default', () => {
		expect(isOn({}, 'protection')).toBe(false);
		expect(isOn({}, 'protection', true)).toBe(true);
	});
});

describe('readPositiveInteger', () => {
	it.each([
		[50, 50],
		['50', 50],
		[' 007 ', 7],
		['"50"', 50],
		['50.0', 50],
	])('reads %p as %p', (value, number) => expect(readPositiveInteger(value, 'Limit', 'a number')).toBe(number));

	it.each([0, '0', -1, '-1', 1.5, '1.5', '1e2', '0x10', '', ' ', null, true, NaN, Infinity, '99999999999999999999'])(
		'refuses %p as a number',
		(value) => expect(() => readPositiveInteger(value, 'Limit', 'a number')).toThrow('not a positive whole number'),
	);
});

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
	])('reads %p, which has no offset, as a time in %s', (text, timeZone, utc) => expect(read(text, timeZone)).toBe(utc));

	it.each([
		'2026-11-01T00:00:00Z',
		'2026-10-31T20:00:00.000-04:00',
		'2026-11-01 01:00:00+01:00',
		new Date('2026-11-01T00:00:00Z'),
		DateTime.fromISO('2026-11-01T00:00:00Z', { zone: 'Asia/Tokyo' }),
	])('keeps the moment that %s names, whatever the time zone of the workflow', (value) => {
		for (const timeZone of ['Europe/Berlin', 'America/New_York'])
			expect(read(value, timeZone)).toBe('2026-11-01T00:00:00.000Z');
	});

	it.each(['soon', '11/01/2026', '2026-13-01', '7', 1_793_491_200_000, true, {}, new Date(NaN)])(
		'refuses %p as a date',
		(value) => expect(() => read(value, 'UTC')).toThrow('Created After is not a date'),
	);
});

describe('readDay', () => {
	it.each([
		['2026-11-01T00:00:00', '2026-11-01'],
		['2026-11-01T23:59:59', '2026-11-01'],
		['2026-11-01', '2026-11-01'],
		['2026-11-01T00:00:00Z', '2026-11-01'],
		['2026-11-01T23:00:00-11:00', '2026-11-01'],
		[DateTime.fromISO('2026-11-01T00:30:00', { zone: 'Asia/Tokyo' }), '2026-11-01'],
	])('reads %p as the day %s, in whichever time zone the workflow is', (value, day) => {
		for (const timeZone of ['Asia/Tokyo', 'Europe/Berlin', 'America/New_York'])
			expect(readDay(value, 'From', timeZone)).toBe(day);
	});

	it('reads a Date, which has no zone, in that of the workflow', () => {
		const date = new Date('2026-11-01T00:00:00Z');
		expect(readDay(date, 'From', 'Europe/Berlin')).toBe('2026-11-01');
		expect(readDay(date, 'From', 'America/New_York')).toBe('2026-10-31');
	});

	it('refuses what is no date', () => expect(() => readDay('soon', 'From', 'UTC')).toThrow('From is not a date'));
});
