import { isSubscribed, parseEventMessage } from '../../../nodes/Argyle/api/eventMessage';

const message = {
	event: 'user_forms.submitted',
	name: 'My subscription',
	data: { account: 'a', user: 'u', user_form: 'f' },
};

describe('parseEventMessage', () => {
	it('keeps the message as delivered, unknown fields included', () => {
		const later = { ...message, sent_at: '2027-01-01', data: { ...message.data, extra: ['ä', 1, null] } };
		expect(parseEventMessage(Buffer.from(JSON.stringify(later, null, 2)))).toEqual(later);
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
	])('refuses %s', (text) => expect(parseEventMessage(Buffer.from(text))).toBeUndefined());
});

describe('isSubscribed', () => {
	it('accepts the chosen events, or all with *', () => {
		expect(isSubscribed('user_forms.submitted', ['accounts.added', 'user_forms.submitted'])).toBe(true);
		expect(isSubscribed('user_forms.removed', ['user_forms.submitted'])).toBe(false);
		expect(isSubscribed('something.new', ['*'])).toBe(true);
	});

	it('accepts no event when the parameter is unreadable', () => {
		expect(isSubscribed('user_forms.submitted', [])).toBe(false);
		expect(isSubscribed('user_forms.submitted', undefined)).toBe(false);
		expect(isSubscribed('*', '*')).toBe(false);
	});
});
