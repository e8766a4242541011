import { Witness } from '../../../../nodes/Argyle/trigger/state/witness';

const MINUTE = 60_000;

/** Looks at these minutes, of which each names when Argyle last sent something. Calls come at other minutes. */
function lossesOf(steps: Array<['call', number] | ['look', number, sentAt: number, offset?: number]>): number[] {
	const witness = new Witness();
	let lookedAt: number | undefined;
	return steps.flatMap(([what, at, sentAt = 0, offset = 0]) => {
		if (what === 'call') witness.onCall(at * MINUTE);
		if (what === 'call') return [];
		const { loss } = witness.look(sentAt * MINUTE, at * MINUTE, offset * MINUTE, lookedAt);
		lookedAt = (at + offset) * MINUTE;
		return loss === undefined ? [] : [at];
	});
}

it.each<[string, Parameters<typeof lossesOf>[0], number[]]>([
	[
		'at two looks in a row, after a call has matched',
		[
			['look', 0, -9],
			['call', 5],
			['look', 10, 5],
			['look', 15, 13],
			['look', 20, 13],
		],
		[20],
	],
	[
		'not if only the first look is near to what was sent',
		[
			['look', 0, -1],
			['look', 5, -1],
			['look', 15, 13],
			['look', 20, 13],
		],
		[],
	],
	[
		'not if no call has ever matched',
		[
			['look', 0, -9],
			['look', 15, 13],
			['look', 20, 13],
		],
		[],
	],
	[
		'not if a call that has just come is all that matches',
		[
			['look', 0, -9],
			['call', 9],
			['look', 10, 10],
			['look', 15, 15],
			['look', 20, 20],
		],
		[],
	],
	[
		'not if the call came late',
		[
			['look', 0, -9],
			['call', 5],
			['look', 10, 5],
			['look', 15, 14],
			['call', 15.5],
			['look', 20, 14],
		],
		[],
	],
	[
		'not for two minutes',
		[
			['look', 0, -9],
			['call', 5],
			['look', 10, 5],
			['look', 15, 13],
			['look', 15.5, 13],
			['look', 16, 13],
		],
		[],
	],
	[
		'once a day',
		[
			['look', 0, -9],
			['call', 5],
			['look', 10, 5],
			['look', 15, 13],
			['look', 20, 13],
			['look', 25, 24],
			['look', 1_500, 24],
		],
		[20, 1_500],
	],
	[
		'not after the clock was set',
		[
			['look', 0, -9],
			['call', 5],
			['look', 10, 5],
			['look', 15, 23, 10],
			['look', 20, 23, 10],
		],
		[],
	],
])('a loss is told %s', (_, steps, told) => {
	expect(lossesOf(steps)).toEqual(told);
});

it('what was sent two looks after the last saved one before a stop was lost, unless it has come since', () => {
	const witness = new Witness();
	expect(witness.lossBefore(0, 12 * MINUTE, 0)).toBeUndefined();
	expect(witness.lossBefore(0, 14 * MINUTE, 0)).toEqual({ after: 0, until: 14 * MINUTE });
	witness.onCall(15 * MINUTE);
	expect(witness.lossBefore(0, 14 * MINUTE, 0)).toBeUndefined();
});

it('a process that is not alone tells nothing', () => {
	const witness = new Witness();
	witness.onCallElsewhere();
	expect(witness.lossBefore(0, 60 * MINUTE, 0)).toBeUndefined();
	for (const at of [0, 5, 10, 15]) expect(witness.look(at * MINUTE, at * MINUTE, 0)).toEqual({ isNews: false });
});

it('a loss that Argyle shows twenty minutes late has no later beginning than end', () => {
	const witness = new Witness();
	const lookAt = (at: number, sentAt: number) => witness.look(sentAt * MINUTE, at * MINUTE, 0, (at - 5) * MINUTE).loss;
	witness.onCall(5 * MINUTE);
	expect([lookAt(10, 5), lookAt(30, 10), lookAt(35, 10)]).toEqual([
		undefined,
		undefined,
		{ after: 10 * MINUTE, until: 10 * MINUTE },
	]);
});
