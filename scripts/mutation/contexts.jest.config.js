const { projects } = require('../../jest.config.js');

/** The integration suite, and the unit tests of the layers that it mutates. */
module.exports = {
	...projects.find(({ displayName }) => displayName === 'integration'),
	roots: ['test/integration', 'test/unit/api', 'test/unit/transport', 'test/unit/trigger'],
	// As n8nContext's own setup, but through the runtime, which loads it once.
	setupFiles: ['<rootDir>/scripts/mutation/environment.cjs'],
	testSequencer: require.resolve('./sequencer.cjs'),
	testRunner: require.resolve('./jest-circus-until-killed.cjs'),
	runtime: require.resolve('./sharedModules.cjs'),
	testEnvironment: require.resolve('./sharedContext.cjs'),
};
