import { ReceivedCalls } from '../../../../nodes/Argyle/trigger/state/receivedCalls';

const MINUTE = 60_000;

/**
 * In minutes, what each look of one trigger knows: when the service last sent, when the last call came, the time now,
 * and by how much the service's clock is ahead.
 */
type Look = [sentAt: number, callAt: number | undefined, now: number, offset?: number];

/** The loss that a look tells, as minutes, if there is one. */
function lossOf(calls: ReceivedCalls, [sentAt, callAt, now, offset = 0]: Look): number[][] {
	if (callAt !== undefined) calls.note(callAt * MINUTE);
	const loss = calls.lossAt(sentAt * MINUTE, now * MINUTE, offset * MINUTE);
	return loss === undefined ? [] : [[loss.after / MINUTE, loss.until / MINUTE]];
}

/** The losses that the looks tell of an n8n that last ran at `runningAt`, in minutes. */
function lossesOf(looks: Look[], runningAt?: number): number[][] {
	const calls = new ReceivedCalls();
	if (runningAt !== undefined) calls.noteRunning(runningAt * MINUTE, 0);
	return looks.flatMap((look) => lossOf(calls, look));
}

/** The value follows a call at ten minutes, and stands still for a quarter of an hour. */
const TRUSTED: Look[] = [
	[10, 10, 15],
	[10, 10, 30],
];

/** The value follows a call at forty minutes, and stands still for twenty minutes. */
const FOLLOWED: Look[] = [
	[40, 40, 45],
	[40, 40, 60],
	[40, 40, 65],
];

it.each<[string, Look[], number[][]]>([
	['is told once', [...TRUSTED, [32, 10, 35], [32, 10, 40]], [[28, 32]]],
	['is told once the value follows a call, and stands still', [[20, 10, 25], [30, 10, 35], ...FOLLOWED], [[10, 30]]],
	[
		'is told again only when the value has followed another call, and from then on',
		[...TRUSTED, [32, 10, 35], [42, 10, 45], [50, 50, 55], [50, 50, 70], [50, 50, 75]],
		[
			[28, 32],
			[33, 42],
		],
	],
	[
		'is told though a later one was delivered before its own delivery was given up',
		[...TRUSTED, [34, 10, 35], [38, 38, 40]],
		[[28, 34]],
	],
	['is not told when its delivery comes after a look', [...TRUSTED, [34, 10, 35], [34, 35.1, 35.1], [42, 42, 45]], []],
	[
		'is told though a call comes that is too late to be its repetition',
		[...TRUSTED, [34, 10, 35], [34, 35.5, 35.5], [42, 42, 45]],
		[[28, 34]],
	],
	['is not told while its delivery may be on its way', [...TRUSTED, [34, 10, 35]], []],
	['is not told within two minutes of a call', [...TRUSTED, [12, 10, 35]], []],
	[
		'is not told of a value that moves each seven minutes',
		Array.from(
			{ length: 40 },
			(_, look): Look => [7 * Math.floor((5 * look) / 7), 20 * Math.floor(look / 4), 5 * look],
		),
		[],
	],
	[
		'is not told of a value that never moves',
		[
			[0, 10, 15],
			[0, 20, 25],
			[0, 30, 55],
		],
		[],
	],
	[
		'is not told of a value that is always that of now',
		[
			[15, 10, 15],
			[20, 10, 20],
			[25, 21, 25],
		],
		[],
	],
	[
		'is not told of a value that comes ten minutes late',
		[
			[10, 10, 15],
			[10, 20, 35],
			[20, 20, 40],
			[20, 20, 60],
		],
		[],
	],
	[
		'is not told of a value that names a later minute',
		[
			[11, 10, 15],
			[11, 10, 30],
			[41, 40, 45],
		],
		[],
	],
	[
		'is told though it came before the first call, once the value follows that',
		[[5, undefined, 10], [20, undefined, 25], ...FOLLOWED],
		[[10, 20]],
	],
	['from before the first look is not told', [[5, undefined, 15], ...FOLLOWED], []],
	[
		'is not told where no call has come to this process',
		[
			[10, undefined, 15],
			[16, undefined, 20],
			[16, undefined, 40],
			[60, undefined, 65],
		],
		[],
	],
])('a loss %s', (_, looks, losses) => expect(lossesOf(looks)).toEqual(losses));

it.each([
	[7, []],
	[8, [[0, 8]]],
])('a call that was sent %d minutes after n8n last ran is told after a start: %j', (sentAt, losses) => {
	expect(lossesOf([[sentAt, undefined, 15], ...FOLLOWED], 0)).toEqual(losses);
	expect(lossesOf([[sentAt, undefined, 15], ...FOLLOWED])).toEqual([]);
});

it.each([
	['is told if static data can be trusted', false, [[0, 30]]],
	['is not told if another trigger has set static data back, though Argyle tells of it only then', true, []],
])('what was sent just before a start of n8n %s', (_, isSetBack, losses) => {
	const calls = new ReceivedCalls();
	calls.noteRunning(0, 0);
	const before = lossOf(calls, [20, undefined, 32]);
	if (isSetBack) calls.noteSetBack();
	const after: Look[] = [
		[30, undefined, 40],
		[50, 50, 55],
		[50, 50, 75],
	];
	expect([...before, ...after.flatMap((look) => lossOf(calls, look))]).toEqual(losses);
});

it("a call from before n8n's clock was set says nothing, though Argyle tells of it only afterwards", () => {
	const calls = new ReceivedCalls();
	calls.noteRunning(5 * MINUTE, 0);
	calls.note(10 * MINUTE);
	// n8n's clock is set three minutes ahead.
	calls.noteRunning(16 * MINUTE, -3 * MINUTE);
	const looks: Look[] = [
		[10, undefined, 19, -3],
		[37, 40, 45, -3],
		[37, 40, 60, -3],
		[37, 40, 65, -3],
	];
	expect(looks.flatMap((look) => lossOf(calls, look))).toEqual([]);
});
