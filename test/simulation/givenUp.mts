import type { Occurrence } from './occurrences.mts';
import type { World } from './world.mts';

const MINUTE = 60_000;

/** What is given up on purpose, each a sentence of README.md here, and the ways in which a loss is told. */
export const GIVEN_UP = {
	pause: 'what else keeps something in static data brings back a pause of Checking for Events, or what ended it',
	change: 'what else keeps something in static data brings back when a report began, before a publish',
	late: 'the subscription was deleted while looks could read nothing, so the time that is told begins too late',
	killed: 'n8n ended in a publish, or seconds after a subscription was made, with something to be caught up',
	future: 'a form is dated in the future, and was not wanted, or a move forgot that it ran',
	worker: 'a worker died within 20 s of a start, or n8n needs seconds for its store, or took up twice what had waited',
	record: 'no record told which change a delivery is of, so it may come again',
	hidden: 'an event that no list shows was lost, and nobody can tell it',
	moves: 'last_sent_at moved without a sending, so a loss was told that was none',
	slow: 'a slow n8n did not save when it last ran, or an execution set it back, so a loss was told that was none',
	moved: 'a lost connection was told again after a move, or a new publish in queue mode, as the account was refreshed',
	undone: 'another node saved static data while the trigger did, and was undone',
	unseen: 'no main process knew of the calls to the others, so a loss was told that was none',
	imported: 'in queue mode, a moved trigger that checks for events began anew at a restart, until it was published',
} as const;

export const TOLD = {
	gap: 'n8n told from when to when events may not count',
	loss: 'n8n told that a delivery did not arrive',
} as const;

/** Why something is no broken promise. */
export type Excuse = keyof typeof GIVEN_UP | keyof typeof TOLD;

/** Whether another process than the one that publishes may take a call, and know what static data says alone. */
export const takesCallsElsewhere = ({ installations, ways }: World): boolean =>
	installations.length > 1 || ways.mains > 1 || (ways.isQueue && ways.hasOtherTrigger);

const keepsStaticData = ({ ways }: World) => ways.hasOtherTrigger || ways.hasCounter;

/** Whether the person has ever chosen Checking for Events. */
const hasChecked = ({ draft, history }: World): boolean =>
	draft.receiveBy === 'polling' || history.some((step) => step.does === 'publish' && step.set.receiveBy !== undefined);

export const mayBringBackPause = (world: World): boolean => keepsStaticData(world) && hasChecked(world);

/**
 * What was known in a former n8n, or that a publish has failed, can be brought back as well. Then a start begins anew.
 */
export function mayBringBackBeginning(world: World): boolean {
	const hasFailed = world.installations.some(({ wishes }) => wishes.forms.hasFailedPublish);
	return mayBringBackPause(world) && (world.installations.length > 1 || hasFailed);
}

/** In queue mode, only a publish in the editor saves static data without a subscription. Then a restart forgets. */
export function knowsOnlyFormerN8n(world: World): boolean {
	const isRestarted = world.history.some((step) => 'role' in step && step.role === 'main');
	return world.installations.length > 1 && world.ways.isQueue && isRestarted && hasChecked(world);
}

/** A publish came before what had begun was over, and n8n may have stopped soon after. */
export function mayForgetChange(world: World, { requestedAt, submittedAt }: Occurrence): boolean {
	const isOver = ({ does, at }: World['history'][number]) =>
		does === 'publish' &&
		world.timeline.begin + at >= requestedAt - 15 * MINUTE &&
		world.timeline.begin + at <= submittedAt + 15 * MINUTE;
	return keepsStaticData(world) && requestedAt < submittedAt && world.history.some(isOver);
}

/** Whether n8n ended soon after it had made a subscription, which static data did not name yet. */
export function endedUnsaved({ history, timeline, argyle }: World, submittedAt: number): boolean {
	const made = argyle.requests.filter(({ call }) => call === 'POST /v2/webhooks').map(({ at }) => at);
	return history.some((step) => {
		const end = timeline.begin + step.at;
		const isInReach = submittedAt <= end && submittedAt > end - 15 * MINUTE;
		return 'role' in step && step.role === 'main' && isInReach && made.some((at) => at <= end && at > end - 20_000);
	});
}

/** n8n is slow where small things take up to so long, or longer: for its store, and for what the own URL is to save. */
const SLOW_MS = { store: 1_000, ownUrl: 100 };

/**
 * Whether another node may have been undone that saved in the `heldMs` for which the trigger had a copy of static data:
 * for moments during the call to the own URL, and longer while n8n begins and ends an execution that saves instead.
 */
export function mayBeUndone({ ways }: World, { by, heldMs }: { by: string; heldMs: number }): boolean {
	const forExecutionMs = Math.max(50, Math.min(2 * ways.busyMs, 2_000));
	const momentsMs: Record<string, number> = { webhook: 50, execution: forExecutionMs };
	return heldMs < (momentsMs[by] ?? 0);
}

/** Whether the main process has started in the last five minutes. */
const isStarted = ({ history, timeline }: World, at: number) =>
	history.some((step) => {
		const sinceMs = 'role' in step && step.role === 'main' ? at - timeline.begin - step.at - step.downMs : -1;
		return sinceMs >= 0 && sinceMs < 5 * MINUTE;
	});

/**
 * What a worker has recorded in n8n's store another one can undo, which reads and writes it at the same moment. It is
 * written again some seconds later, unless the worker died meanwhile. Where n8n is slow, that may be too late for
 * executions that take turns, for up to a hundred seconds. After a start, a worker may take up what waited in the
 * moment in which it is asked for again, and the two have the same turn.
 */
export function isUnsettled(world: World, [first, second]: Array<{ at: number }>): boolean {
	const { installations, ways } = world;
	const hasDied = (death: number) => death >= first.at && death < first.at + 20_000;
	const isSlow = ways.isQueue && ways.busyMs > SLOW_MS.store && second.at < first.at + 100_000;
	const isSameTurn = ways.isQueue && second.at < first.at + 2_000 && isStarted(world, first.at);
	return isSlow || isSameTurn || installations.some(({ n8n }) => n8n.workerDeaths.some(hasDied));
}

/** Why a loss, from when to when, may be told that was none. A slow n8n saves after an hour at the latest. */
export function falseAlarmExcuse(world: World, alarm: { at: number; from: number; to: number }): Excuse | undefined {
	const { others, ways } = world;
	if (others.witness === 'without a send') return 'moves';
	const isUnsaved = isStarted(world, alarm.at) && alarm.to - alarm.from < 60 * MINUTE;
	if (ways.hasCounter || (ways.busyMs > SLOW_MS.ownUrl && isUnsaved)) return 'slow';
	return ways.mains > 1 && !ways.canCallItself ? 'unseen' : undefined;
}
