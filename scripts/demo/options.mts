import { parseArgs } from 'node:util';

export type DemoOptions = ReturnType<typeof readOptions>;

const OFF = { type: 'boolean', default: false } as const;

/** Throws an error whose message names an option that there is not. */
export const readOptions = () => parseArgs({ options: { keep: OFF, keys: OFF, once: OFF } }).values;
