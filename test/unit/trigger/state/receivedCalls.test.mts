import { ReceivedCalls } from '../../../../nodes/Argyle/trigger/state/receivedCalls';

const MINUTE = 60_000;

/**
 * In minutes, what each look of one trigger knows: when the service last sent, when the last call came, the time now,
 * and by how much the service's clock is ahead.
 */
type Look = [sentAt: number, callAt: number | undefined, now: number, offset?: number];

/** The losses that the looks tell, as minutes. */
function lossesOf(looks: Look[]): number[][] {
	const calls = new ReceivedCalls();
	return looks.flatMap(([sentAt, callAt, now, offset = 0]) => {
		if (callAt !== undefined) calls.note(callAt * MINUTE);
		const loss = calls.lossAt(sentAt * MINUTE, now * MINUTE, offset * MINUTE);
		return loss === undefined ? [] : [[loss.after / MINUTE, loss.until / MINUTE]];
	});
}

it.each<[string, Look[], number[][]]>([
	[
		'is told once, when the value has followed a call before',
		[
			[10, 10, 15],
			[20, 10, 25],
			[20, 10, 30],
		],
		[[10, 20]],
	],
	[
		'is told once the value follows a call',
		[
			[20, 10, 25],
			[30, 10, 35],
			[40, 40, 45],
		],
		[[10, 30]],
	],
	[
		'is told again when another one follows',
		[
			[10, 10, 15],
			[20, 10, 25],
			[30, 10, 35],
		],
		[
			[10, 20],
			[10, 30],
		],
	],
	[
		'is not told while its delivery may be on its way',
		[
			[10, 10, 15],
			[19, 10, 20],
		],
		[],
	],
	[
		'is not told within two minutes of a call',
		[
			[10, 10, 15],
			[12, 10, 20],
		],
		[],
	],
	[
		'is not told of a value that never moves',
		[
			[0, 10, 15],
			[0, 20, 25],
			[0, 30, 35],
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
			[10, 20, 25],
			[20, 20, 30],
		],
		[],
	],
	[
		'is not told of a value that names a later minute',
		[
			[11, 10, 15],
			[21, 20, 25],
		],
		[],
	],
	[
		'is not told where no call has come to this process',
		[
			[10, undefined, 15],
			[20, undefined, 25],
		],
		[],
	],
])('a loss %s', (_, looks, losses) => expect(lossesOf(looks)).toEqual(losses));
