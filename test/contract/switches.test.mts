import { CHECKS } from '../../scripts/contract/checks/index.mts';
import { startFakeTarget } from '../../scripts/contract/fakeTarget.mts';
import { runChecks, type Session } from '../../scripts/contract/session.mts';
import { ALL_ASSUMPTIONS, allBut, checkedAssumptions } from '../support/fakeArgyle/assumed.mts';

/** Runs against fakes, which mostly wait for their own deliveries. */
const AT_ONCE = 16;

const checked = checkedAssumptions();

const sessions = new Map<string, Session>();

/** All checks against a fake that takes the other side of one assumption. */
async function runFlipped(name: (typeof CHECKS)[number]['assumption']): Promise<void> {
	const { argyle, target } = await startFakeTarget(allBut(name));
	sessions.set(name, await runChecks(target, CHECKS, new AbortController().signal));
	await argyle.stop();
}

beforeAll(async () => {
	const waiting = [...checked];
	const work = async () => {
		for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await runFlipped(name);
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
}, 600_000);

it('every assumption has one check, or a reason why it has none', () => {
	expect(CHECKS.map(({ assumption }) => assumption).sort()).toEqual(checked.toSorted());
});

it.each(checked)('a service on the other side of %s differs in this check alone', (name) => {
	const results = sessions.get(name)?.results ?? [];
	const differing = results.filter(({ verdict }) => verdict === 'differs');
	expect(differing.map(({ check, seen }) => `${check.assumption}: ${seen}`)).toEqual([
		`${name}: ${ALL_ASSUMPTIONS[name].sides[1]}`,
	]);
	expect(sessions.get(name)?.left).toEqual([]);
});
