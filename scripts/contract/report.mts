import { ALL_ASSUMPTIONS } from '../../test/support/fakeArgyle/assumed.mts';
import type { Result, Verdict } from './check.mts';

const VERDICTS: Verdict[] = ['holds', 'differs', "can't be told", 'skipped'];

const WIDTH = Math.max(...VERDICTS.map(({ length }) => length));

const believed = ({ check }: Result) => ALL_ASSUMPTIONS[check.assumption].sides[0];

export function lineOf(result: Result): string {
	const { check, verdict, seen, how } = result;
	const { question } = ALL_ASSUMPTIONS[check.assumption];
	const indent = '\n'.padEnd(WIDTH + 3);
	const head = `${verdict.padEnd(WIDTH)}  ${check.assumption}: ${question}`;
	switch (verdict) {
		case 'holds':
			return `${head} ${seen}`;
		case 'differs':
			return [
				head,
				`believed: ${believed(result)}`,
				`seen:     ${seen}`,
				`look at:  ${check.dependants.join(', ')}`,
			].join(indent);
		default:
			return [head, `${seen} ${how}`.trim()].join(indent);
	}
}

export const count = (results: Result[], verdict: Verdict) =>
	results.filter((result) => result.verdict === verdict).length;

/** The numbers, and once each what would let more be told. */
export function summaryOf(results: Result[]): string {
	const numbers = VERDICTS.map((verdict) => `${count(results, verdict)} ${verdict}`).join(', ');
	const hows = [...new Set(results.filter(({ verdict }) => verdict === "can't be told").map(({ how }) => how))];
	const missing = hows.filter((how) => how !== '');
	return missing.length === 0
		? numbers
		: `${numbers}\n\nThe account does not show everything:\n- ${missing.join('\n- ')}`;
}
