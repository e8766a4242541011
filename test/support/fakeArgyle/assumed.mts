import { type Assumption, ASSUMPTIONS } from './assumptions.mts';
import { READ_ASSUMPTIONS } from './readAssumptions.mts';
import { DELIVERY_ASSUMPTIONS, LAST_SENT_ASSUMPTIONS, WEBHOOK_ASSUMPTIONS } from './webhookAssumptions.mts';

/** All that is believed and not documented beyond doubt, by the name of its switch. */
export const ALL_ASSUMPTIONS = {
	...READ_ASSUMPTIONS,
	...WEBHOOK_ASSUMPTIONS,
	...LAST_SENT_ASSUMPTIONS,
	...DELIVERY_ASSUMPTIONS,
	...ASSUMPTIONS,
};

export type AssumptionName = keyof typeof ALL_ASSUMPTIONS;

/** Which side of each assumption the fake takes. */
export type Assumed = { [Name in AssumptionName]: (typeof ALL_ASSUMPTIONS)[Name]['sides'][number] };

export const assumptionNames = (): AssumptionName[] =>
	Object.keys(ALL_ASSUMPTIONS).filter((name): name is AssumptionName => Object.hasOwn(ALL_ASSUMPTIONS, name));

/** Those that `npm run contract` asks a service for. */
export const checkedAssumptions = (): AssumptionName[] =>
	assumptionNames().filter((name) => {
		const { unchecked }: Assumption = ALL_ASSUMPTIONS[name];
		return unchecked === undefined;
	});

function isAssumed(sides: Record<string, unknown>): sides is Assumed {
	return Object.entries(ALL_ASSUMPTIONS).every(([name, assumption]) =>
		assumption.sides.some((side) => side === sides[name]),
	);
}

function choose(side: (name: AssumptionName) => string): Assumed {
	const sides = Object.fromEntries(assumptionNames().map((name) => [name, side(name)]));
	if (!isAssumed(sides)) throw new Error('An assumption has no such side');
	return sides;
}

/** The first sides, but for those that are chosen. */
export const assume = (chosen: Partial<Assumed> = {}): Assumed => ({
	...choose((name) => ALL_ASSUMPTIONS[name].sides[0]),
	...chosen,
});

/** What we believe, but for the one assumption, which takes its other side. */
export const allBut = (flipped: AssumptionName) =>
	choose((name) => ALL_ASSUMPTIONS[name].sides[name === flipped ? 1 : 0]);

/** For `describe.each`: the fake's defaults, then each other side alone of what is assumed of writing. */
export const SIDES: Array<[title: string, assumed: Partial<Assumed>]> = [
	['as assumed', {}],
	...assumptionNames()
		.filter((name) => Object.hasOwn(ASSUMPTIONS, name))
		.map((name): [string, Partial<Assumed>] => {
			const [, other] = ALL_ASSUMPTIONS[name].sides;
			return [`${name}: ${other}`, { [name]: other }];
		}),
];
