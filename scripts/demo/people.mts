import type { FakeArgyle } from '../../test/support/fakeArgyle/index.mts';
import type { Json } from '../../test/support/json.mts';

const MAX_MESSAGES = 50;

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
		return `did not find the employer, and submitted a form for ${incomeSource}.`;
	},
	connect(argyle, invite) {
		void argyle.person(invite).connect();
		return 'logged in at the payroll system: accounts.added and four other events are sent, one after the other.';
	},
};

/** Lets the person of an invite act. */
export function letPersonAct(argyle: FakeArgyle, { invite, act, incomeSource }: Json): string {
	const known = argyle.invites.get(String(invite));
	const perform = Object.hasOwn(ACTS, String(act)) ? ACTS[String(act)] : undefined;
	if (known === undefined || perform === undefined) throw new Error('There is no such invite.');
	const name = String(known.full_name);
	if (known.status === 'revoked') return `The invite was revoked: its link does nothing for ${name}.`;
	return `${name} ${perform(argyle, known.id, String(incomeSource || 'Corner Bakery'))}`;
}
