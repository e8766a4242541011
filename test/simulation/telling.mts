import { falseAlarmExcuse } from './givenUp.mts';
import { FOUND_BY, isOtherEvent, keyOfItem, type Message } from './occurrences.mts';
import type { Violation } from './promises.mts';
import type { Sending } from './sender.mts';
import type { World } from './world.mts';

const MINUTE = 60_000;

/** What is closer to a call that was taken may be that one: clocks differ, and the service writes late. */
const TOLERANCE_MS = 4 * MINUTE;

/** So much later a look knows what was sent, and that it does not come any more. */
const KNOWN_AFTER_MS = 3 * MINUTE;

const timeOf = (ms: number) => new Date(ms).toISOString().slice(11, 23);

const ALARM = /^reported: Argyle sent an event between (\S+) and (\S+) that n8n did not receive/;

/** Nobody can know since when events count. */
const GAP = /^reported: Events (?:before|between (\S+) and) (\S+) may not have started this workflow/;

const DAY = 24 * 60 * MINUTE;

/** What the trigger reports when something was lost, or may have been. */
export const isAlarm = (message: string) => ALARM.test(message) || GAP.test(message);

/** From when to when, by what a person was told, nobody can know since when events count. */
const gapsIn = ({ failures }: World): Array<[from: number, to: number]> =>
	failures.flatMap(({ message }): Array<[number, number]> => {
		const [isGap, from, to = ''] = GAP.exec(message) ?? [];
		return isGap === undefined ? [] : [[from === undefined ? -Infinity : Date.parse(from), Date.parse(to)]];
	});

/** Whether a person was told that what happened at this time may not have started the workflow. */
export const isTold = (world: World, at: number): boolean =>
	gapsIn(world).some(([from, to]) => at >= from - TOLERANCE_MS && at <= to + TOLERANCE_MS);

/** Whether a person was told of a time that begins too late: a look that could read nothing tells that n8n ran. */
export const isToldLate = (world: World, at: number): boolean =>
	gapsIn(world).some(
		([from, to]) =>
			at <= to + TOLERANCE_MS && world.troubles.some(([begin, end]) => begin <= from && end >= from && at >= begin),
	);

/** A message that was sent, in vain each time. */
interface Loss {
	message: Message;
	/** The last time. */
	sending: Sending;
	/** Whether it has started the workflow all the same. */
	isFound: boolean;
}

function lossesIn(world: World): Loss[] {
	const started = new Set([...world.starts.map(({ form }) => form), ...world.otherStarts.map(({ key }) => key)]);
	const taken = new Set(world.sendings.filter(({ isTaken }) => isTaken).map(({ message }) => message));
	const last = new Map(world.sendings.map((sending) => [sending.message, sending]));
	return [...last]
		.filter(([message]) => !taken.has(message))
		.map(([message, sending]) => {
			const { event, key = keyOfItem(message) } = message;
			const isListed = !isOtherEvent(event) || FOUND_BY[event] !== 'nothing';
			// A refresh tells of nothing, and of an account that has changed again only the last change is found.
			const isNothing = event === 'accounts.updated' && message.key === undefined;
			const isFound = isNothing || (isListed && (started.has(key) || hasChangedAgain(world, sending)));
			return { message, sending, isFound };
		});
}

/** Whether the account of the message has changed since. */
function hasChangedAgain({ happenings }: World, { at, message: { event, data } }: Sending): boolean {
	const isOfAccount = event.startsWith('accounts.') && event !== 'accounts.added';
	return (
		isOfAccount &&
		happenings.occurrences.some(
			(other) => FOUND_BY[other.event] === 'scan' && other.record === data.account && other.submittedAt > at,
		)
	);
}

/** Whether a process that has taken calls before and after it could see it, beyond doubt. */
function hadToBeTold(world: World, { sending, isFound }: Loss): boolean {
	const { at, subscription, main } = sending;
	if (isFound || !world.others.witness.startsWith('as believed') || world.ways.isQueue) return false;
	const looks = world.argyle.requests.filter(({ call, isServed }) => isServed && call === 'GET /v2/webhooks');
	const nextLook = (from: number) => looks.find((look) => look.at >= from)?.at ?? Infinity;
	const ofMain = world.sendings.filter((other) => other.main === main);
	const toSame = ofMain.filter((other) => other.subscription.id === subscription.id);
	// A look has to name a call that came here, and then two looks that this one did not come.
	const isMatched = toSame.some((other, index) => {
		const next = toSame.at(index + 1)?.at ?? Infinity;
		const look = nextLook(other.at + KNOWN_AFTER_MS);
		return other.isTaken && look < Math.min(next, at) && look < other.at + 4 * MINUTE + KNOWN_AFTER_MS;
	});
	const suspected = nextLook(at + KNOWN_AFTER_MS);
	const known = nextLook(suspected + KNOWN_AFTER_MS);
	const isHidden = ofMain.some((other) => other.isTaken && other.at > at - TOLERANCE_MS && other.at < known + MINUTE);
	const isToldAlready = world.failures.some(
		(failure) => ALARM.test(failure.message) && failure.at < known && failure.at > known - DAY,
	);
	const isClockSet = world.history.some(({ does }) => does === 'set the clock');
	const isAlive = world.current.n8n.main === main;
	const isPublished = world.current.n8n.surroundings.url === subscription.url;
	// What was on its way, or was only suspected, when a person published something else or nothing is nobody's any more.
	const isSteady = ({ wishes }: World['installations'][number]) =>
		wishes.forms.isSteady(at, known) && wishes.others.isSteady(at, known) && wishes.forms.isSubscribed(known);
	const isWanted = world.installations.some(isSteady);
	const couldBeTold = isAlive && isPublished && isWanted && known < world.calm.to;
	return isMatched && !isHidden && !isToldAlready && !isClockSet && couldBeTold;
}

const repeatedIn = ({ failures }: World) =>
	failures
		.map(({ message }) => message)
		.filter((message, place, all) => isAlarm(message) && all.indexOf(message) < place);

/** What became of what did not arrive. */
export function tellingFindings(world: World): Violation[] {
	const alarms = world.failures.flatMap((failure) => {
		const [, from, to] = ALARM.exec(failure.message) ?? [];
		return from === undefined ? [] : [{ ...failure, from: Date.parse(from), to: Date.parse(to) }];
	});
	const losses = lossesIn(world);
	const isOf = ({ from, to }: { from: number; to: number }, { sending: { at } }: Loss) =>
		at > from - TOLERANCE_MS && at < to + TOLERANCE_MS;
	const lost = losses.filter(({ isFound }) => !isFound);
	const excuseOf = (loss: Loss) => {
		if (alarms.some((alarm) => isOf(alarm, loss))) return 'loss';
		return hadToBeTold(world, loss) ? undefined : 'hidden';
	};
	const wrong = alarms.filter((alarm) => !losses.some((loss) => isOf(alarm, loss)));
	return [
		...lost.map(
			(loss): Violation => ({
				promise: 'untold',
				what: `${keyOfItem(loss.message)} was sent at ${timeOf(loss.sending.at)}, did not arrive, and nobody was told`,
				excuse: excuseOf(loss),
			}),
		),
		...wrong.map(
			(alarm): Violation => ({
				promise: 'false alarm',
				what: `at ${timeOf(alarm.at)}, where last_sent_at moves ${world.others.witness}: ${alarm.message}`,
				excuse: falseAlarmExcuse(world, alarm),
			}),
		),
		...repeatedIn(world).map((what): Violation => ({ promise: 'false alarm', what: `told again: ${what}` })),
	];
}
