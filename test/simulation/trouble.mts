import { HISTORY_MS, makeHistory, otherSteps, overloads, type Step } from './history.mts';
import { withSecond, withTwoMains } from './moreSteps.mts';
import { drawQuirks, hasOverloads, hasSecondWorkflow } from './quirks.mts';
import { Random } from './random.mts';
import { drawOthers, drawService, firstVersion, makeClimate, makeWays, type Mode, type Setting } from './variety.mts';

/** Half a day in which much more goes wrong than ever does: nothing of it is silent. */
export function drawTrouble(seed: number, mode: Mode): Setting {
	const random = new Random(seed);
	const ways = makeWays(random, mode, seed);
	const climate = makeClimate(random);
	const service = drawService(random);
	const otherRandom = new Random(seed ^ 0x07e4e775);
	const others = drawOthers(seed, otherRandom);
	const version = firstVersion(random, others.events);
	const aheadMs = random.chance(0.3) ? random.between(-4, 4) * 60_000 : random.between(-2_000, 2_000);
	const isQueue = mode === 'queue';
	let steps: Step[] = makeHistory(random, isQueue, climate);
	if (ways.mains > 1) steps = withTwoMains(new Random(seed ^ 0x2a16), steps);
	if (hasSecondWorkflow(seed)) steps = withSecond(new Random(seed ^ 0x2f02), steps);
	if (isQueue && hasOverloads(seed)) steps.push(...overloads(new Random(seed ^ 0x0b57)));
	if (others.events.length > 0) steps.push(...otherSteps(otherRandom, others.perHour, climate, [...steps]));
	const history = steps.sort((one, other) => one.at - other.at);
	const { hasGoneAccounts } = climate;
	const world = { mode, ways, service, others, quirks: drawQuirks(seed), hasGoneAccounts, version, aheadMs, history };
	return { ...world, hasSecondWorkflow: hasSecondWorkflow(seed), historyMs: HISTORY_MS, calmMs: 120 * 60_000 };
}
