import { parseArgs } from 'node:util';

export type DemoOptions = ReturnType<typeof readOptions>;

const OFF = { type: 'boolean', default: false } as const;

/** Throws an error whose message names an option that there is not. */
export function readOptions() {
	const { values } = parseArgs({ options: { keep: OFF, keys: OFF, once: OFF } });
	if (values.keys && values.keep)
		throw new Error('With --keys nothing is kept, so that your key does not stay on this disk: leave out --keep.');
	return values;
}
