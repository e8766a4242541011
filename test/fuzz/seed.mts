import fc from 'fast-check';

/** The same in each run, so that no test fails by chance; weekly another one. A failure prints it. */
const DEFAULT_SEED = 1;

fc.configureGlobal({ seed: Number(process.env.FUZZ_SEED ?? DEFAULT_SEED) });
