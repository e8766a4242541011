import { EVENTS_OF_CONNECTING, EVENTS_OF_FAILING, loseConnection } from '../../test/support/fakeArgyle/accountLife.mts';
import { receives } from '../../test/support/fakeArgyle/deliveries.mts';
import type { FakeArgyle } from '../../test/support/fakeArgyle/index.mts';
import type { Json } from '../../test/support/json.mts';

const MAX_MESSAGES = 50;

/** By what a user is known on the page: name, External ID or ID. */
export function personName({ users }: FakeArgyle, id: unknown): string {
	const user = users.get(String(id));
	return [user?.first_name, user?.last_name].filter(Boolean).join(' ') || String(user?.external_id ?? id);
}

export const people = (argyle: FakeArgyle): object[] =>
	[...argyle.users.keys()].map((id) => ({ id, name: personName(argyle, id) }));

/** What is said of events that happened, while they are delivered: what fails is repeated after half a minute. */
export function told({ subscriptions }: FakeArgyle, events: string[]): string {
	const sent = events.filter((event) => [...subscriptions.values()].some((each) => receives(each, event)));
	const [only] = events;
	const what = events.length === 1 ? `${only} happened` : `${events.join(', ')} happened, one after the other`;
	if (sent.length === 0)
		return `${what}. No subscription asks for that, so nothing was sent: only Checking for Events may find it.`;
	if (sent.length < events.length) return `${what}. Sent: ${sent.join(', ')}, because no subscription asks for more.`;
	const count = [...subscriptions.values()].filter((each) => sent.some((event) => receives(each, event))).length;
	return `${what}. Sent to ${count === 1 ? 'one subscription' : `${count} subscriptions`}.`;
}

/** A message to a person, with what became of its invite; the latest first. */
export function messagesToPeople({ messages, invites }: FakeArgyle): object[] {
	const latest = messages.slice(-MAX_MESSAGES).reverse();
	return latest.map(({ to, method, invite }) => {
		const stored = invites.get(invite);
		return { to, method, invite, name: stored?.full_name, status: stored?.status };
	});
}

/** What the person of an invite does with its link, by the page's name for it; each returns what is said of it. */
const ACTS: Record<string, (argyle: FakeArgyle, invite: string, incomeSource: string) => string> = {
	open(argyle, invite) {
		argyle.person(invite).open();
		return 'opened the link.';
	},
	form(argyle, invite, incomeSource) {
		void argyle.person(invite).submitForm(incomeSource);
		return `did not find the employer, and submitted a form for ${incomeSource}. ${told(argyle, ['user_forms.submitted'])}`;
	},
	connect(argyle, invite) {
		void argyle.person(invite).connect();
		return `logged in at the payroll system. ${told(argyle, EVENTS_OF_CONNECTING)}`;
	},
	fail(argyle, invite) {
		void argyle.person(invite).fail();
		return `typed a wrong password. ${told(argyle, EVENTS_OF_FAILING)}`;
	},
	lose(argyle, invite) {
		const user = argyle.invites.get(invite)?.user;
		const account = [...argyle.accounts.values()].findLast((each) => each.user === user);
		if (account === undefined) return 'has not logged in: there is no connection to lose.';
		void loseConnection(argyle, account.id);
		return `changed the password: the connection is lost. ${told(argyle, ['accounts.updated'])}`;
	},
};

export function letPersonAct(argyle: FakeArgyle, { invite, act, incomeSource }: Json): string {
	const known = argyle.invites.get(String(invite));
	const perform = Object.hasOwn(ACTS, String(act)) ? ACTS[String(act)] : undefined;
	if (known === undefined || perform === undefined) throw new Error('There is no such invite.');
	const name = String(known.full_name);
	if (known.status === 'revoked') return `The invite was revoked: its link does nothing for ${name}.`;
	return `${name} ${perform(argyle, known.id, String(incomeSource || 'Corner Bakery'))}`;
}
