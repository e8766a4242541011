import { HISTORY_MS, type Step } from './history.mts';
import type { Random } from './random.mts';

const MINUTE = 60_000;

/** Of two main processes either may die, and the lead passes from one to the other while both live. */
export function withTwoMains(random: Random, steps: Step[]): Step[] {
	const changes = Array.from({ length: random.whole(1, 6) }, (): Step => {
		const other = steps[random.whole(0, steps.length - 1)];
		return { at: other.at + random.mostlyShort(0, MINUTE), does: 'another main leads' };
	});
	const place = () => random.whole(0, 1);
	return [...steps, ...changes].map((step) =>
		'role' in step && step.role === 'main' ? { ...step, place: place() } : step,
	);
}

/** What a person does with a second workflow. It is not moved to another n8n, so the first one is not either. */
export function withSecond(random: Random, steps: Step[]): Step[] {
	const publish = (at: number, set: Extract<Step, { does: 'publish' }>['set']): Step => ({
		...{ at, does: 'publish', isSecond: true },
		set: { revision: random.whole(1, 9_999), ...set },
	});
	const own: Step[] = [publish(random.between(MINUTE, 20 * MINUTE), {})];
	for (let left = random.whole(0, 5); left > 0; left--) {
		const at = random.between(20 * MINUTE, HISTORY_MS);
		const later = at + random.mostlyShort(11 * MINUTE, 300 * MINUTE);
		const changes: Array<[Step, Step]> = [
			[publish(at, {}), publish(later, {})],
			[{ at, does: 'unpublish', isSecond: true }, publish(later, {})],
			[publish(at, { trigger: 'disabled' }), publish(later, { trigger: 'on' })],
			[publish(at, { catchUp: false }), publish(later, { catchUp: true })],
			[publish(at, { receiveBy: 'polling' }), publish(later, { receiveBy: 'webhook' })],
		];
		own.push(...changes[random.whole(0, changes.length - 1)]);
	}
	const isKept = ({ at, does }: Step) => at < HISTORY_MS && does !== 'move to another n8n';
	return [...steps, ...own].filter(isKept);
}
