import { parseArgs } from 'node:util';

export const HELP = `npm run demo              n8n with the package and a fake Argyle, and a workflow from a form to its receipt
npm run demo -- --keep    the same with everything that you built in the last demo
npm run demo -- --keys    your own Argyle key instead of the fake; says what to set for that
npm run demo -- --once    ends after the first receipt
npm run demo -- --help    this text`;

/** What was asked for behind `npm run demo --`. */
export type DemoOptions = ReturnType<typeof readOptions>;

const OFF = { type: 'boolean', default: false } as const;

/** Throws an error whose message names an option that there is not. */
export const readOptions = () => parseArgs({ options: { keep: OFF, keys: OFF, once: OFF, help: OFF } }).values;
