import { isSubscribed, parseEventMessage } from '../../../nodes/Argyle/api/delivery';

const message = {
	event: 'user_forms.submitted',
	name: 'My subscription',
	data: { account: 'a', user: 'u', user_form: 'f' },
};

describe('parseEventMessage', () => {
	it('keeps an event message as delivered, with the fields it does not know', () => {
		const newer = { ...message, sent_at: '2027-01-01', data: { ...message.data, extra: ['ä', 1, null] } };
		expect(parseEventMessage(Buffer.from(JSON.stringify(newer, null, 2)))).toEqual(newer);
	});

	it.each([
		'',
		'null',
		'[]',
		'"text"',
		'1',
		'{',
		'{}',
		'{"event":"x"}',
		'{"event":"","data":{}}',
		'{"event":1,"data":{}}',
		'{"event":"x","data":[]}',
		'{"event":"x","data":null}',
	])('returns undefined for %p, which is no event message', (text) =>
		expect(parseEventMessage(Buffer.from(text))).toBeUndefined(),
	);
});

describe('isSubscribed', () => {
	it('accepts the chosen events, and with * every event', () => {
		expect(isSubscribed('user_forms.submitted', ['accounts.added', 'user_forms.submitted'])).toBe(true);
		expect(isSubscribed('user_forms.removed', ['user_forms.submitted'])).toBe(false);
		expect(isSubscribed('something.new', ['*'])).toBe(true);
	});

	it('accepts the events that an expression gives as text', () => {
		expect(isSubscribed('user_forms.submitted', 'accounts.added, user_forms.submitted')).toBe(true);
		expect(isSubscribed('accounts.added', 'user_forms.submitted')).toBe(false);
		expect(isSubscribed('something.new', '*')).toBe(true);
	});

	it('accepts no event when the saved events are empty or neither a list nor text', () => {
		expect(isSubscribed('user_forms.submitted', [])).toBe(false);
		expect(isSubscribed('user_forms.submitted', undefined)).toBe(false);
		expect(isSubscribed('7', 7)).toBe(false);
	});
});
