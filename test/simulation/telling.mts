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

/** For so long nothing may come after a call until the trigger trusts `last_sent_at`, and then comes a look. */
const TRUSTED_AFTER_MS = 25 * MINUTE;

/** What the trigger reports when something was lost. */
export const isAlarm = (message: string) => ALARM.test(message);

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
	const toSame = world.sendings.filter((other) => other.subscription.id === subscription.id && other.main === main);
	const known = nextLook(at + KNOWN_AFTER_MS);
	const isHidden = toSame.some(
		(other) => other !== sending && other.at > at - TOLERANCE_MS && other.at < known + MINUTE,
	);
	const before = toSame.find((other) => other.isTaken && other.at < at);
	const after = toSame.find((other) => other.isTaken && other.at > known);
	if (isHidden || before === undefined || after === undefined || known > world.calm.to) return false;
	const trusted = nextLook(after.at + TRUSTED_AFTER_MS);
	const isSteady = !world.sendings.some(
		(other) => other.at > after.at - TOLERANCE_MS && other.at < trusted && other !== after,
	);
	const isClockSet = world.history.some(({ does }) => does === 'set the clock');
	const isAlive = world.current.n8n.main === main || toSame.some((other) => other.at > trusted);
	return (
		isSteady &&
		isAlive &&
		!isClockSet &&
		trusted < world.calm.to &&
		world.current.n8n.surroundings.url === subscription.url
	);
}

/** What became of what did not arrive. */
export interface Telling {
	/** So many alarms were of something that was lost for good, of something that was found again, or of nothing. */
	right: number;
	found: number;
	wrong: Array<{ at: number; message: string }>;
	/** So much was lost for good and told, had to be told, or is not known of. */
	told: number;
	untold: Loss[];
	unknown: number;
}

export function tellingIn(world: World): Telling {
	const alarms = world.failures.flatMap((failure) => {
		const [, from, to] = ALARM.exec(failure.message) ?? [];
		return from === undefined ? [] : [{ ...failure, from: Date.parse(from), to: Date.parse(to) }];
	});
	const losses = lossesIn(world);
	const isOf = ({ from, to }: { from: number; to: number }, { sending: { at } }: Loss) =>
		at > from - TOLERANCE_MS && at < to + TOLERANCE_MS;
	const ofWhat = (alarm: { from: number; to: number }) => losses.filter((loss) => isOf(alarm, loss));
	const lost = losses.filter(({ isFound }) => !isFound);
	const told = lost.filter((loss) => alarms.some((alarm) => isOf(alarm, loss)));
	const untold = lost.filter((loss) => !told.includes(loss) && hadToBeTold(world, loss));
	const right = alarms.filter((alarm) => ofWhat(alarm).some(({ isFound }) => !isFound)).length;
	const wrong = alarms.filter((alarm) => ofWhat(alarm).length === 0);
	const found = alarms.length - right - wrong.length;
	return { right, found, wrong, told: told.length, untold, unknown: lost.length - told.length - untold.length };
}

export function tellingViolations(world: World): Violation[] {
	const { untold, wrong } = tellingIn(world);
	return [
		...untold.map(
			({ message, sending }): Violation => ({
				promise: 'untold',
				what: `${keyOfItem(message)} was sent at ${timeOf(sending.at)}, did not arrive, and nobody was told`,
			}),
		),
		...wrong.map(
			({ at, message }): Violation => ({
				promise: 'false alarm',
				what: `at ${timeOf(at)}, where last_sent_at moves ${world.others.witness}: ${message}`,
			}),
		),
	];
}
