import { letPersonAct, people, told } from '../../../scripts/demo/people.mts';
import { FakeArgyle } from '../../support/fakeArgyle/index.mts';
import { storeInvite } from '../../support/fakeArgyle/invites.mts';
import { newSubscription } from '../../support/fakeArgyle/webhooks.mts';

let argyle: FakeArgyle;
beforeEach(() => {
	argyle = new FakeArgyle({});
});

function subscribe(events: string[]): void {
	const subscription = newSubscription({ name: 'Demo', url: 'http://127.0.0.1:9/', events });
	argyle.subscriptions.set(subscription.id, subscription);
}

function act(name: string): string {
	const [user = ''] = argyle.users.keys();
	const { id } = storeInvite(argyle, user, { email: 'alex@example.com', first_name: 'Alex', last_name: 'Sample' });
	return letPersonAct(argyle, { invite: id, act: name });
}

it("the demo's page offers every user by name, by External ID or by ID", () => {
	argyle.users.set('bare', { id: 'bare' });
	expect(people(argyle)).toMatchObject([
		{ name: 'Bob Jones' },
		{ name: 'crm-1002' },
		{ name: 'Joe Burnam' },
		{ name: 'bare' },
	]);
});

it('a person who logs in is said to send nothing when no subscription asks for what happens', () => {
	expect(act('connect')).toMatch(/logged in .*accounts\.added, .* happened.* nothing was sent/);
});

it('a person who logs in is said to send what a subscription asks for, and no more', () => {
	subscribe(['accounts.connected', 'user_forms.submitted']);
	expect(act('connect')).toMatch(/Sent: accounts\.connected, because no subscription asks for more\.$/);
	subscribe(['*']);
	expect(act('connect')).toMatch(/Sent to 2 subscriptions\.$/);
});

it.each([
	['open', 'Alex Sample opened the link.'],
	['form', 'Alex Sample did not find the employer, and submitted a form for Corner Bakery.'],
	['fail', 'Alex Sample typed a wrong password.'],
	['lose', 'Alex Sample has not logged in: there is no connection to lose.'],
])('a person can %s on the page of the demo', (name, says) => expect(act(name)).toContain(says));

it('a person who has logged in can lose the connection', () => {
	const [user = ''] = argyle.users.keys();
	const [account] = argyle.addRecords('accounts', 1, { user });
	expect(act('lose')).toMatch(/changed the password: the connection is lost\. accounts\.updated happened/);
	expect(account).toMatchObject({ connection: { status: 'error', error_code: 'auth_required' } });
});

it('one event is told in the singular', () => {
	expect(told(argyle, ['shifts.added'])).toBe(
		'shifts.added happened. No subscription asks for that, so nothing was sent: only Checking for Events may find it.',
	);
	subscribe(['shifts.added']);
	expect(told(argyle, ['shifts.added'])).toBe('shifts.added happened. Sent to one subscription.');
});
