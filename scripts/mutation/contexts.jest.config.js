const { projects } = require('../../jest.config.js');

/** The integration suite, and the unit tests of the layers that it mutates. */
module.exports = {
	...projects.find(({ displayName }) => displayName === 'integration'),
	roots: ['test/integration', 'test/unit/api', 'test/unit/transport', 'test/unit/trigger'],
	// Stryker looks for it beside itself.
	testEnvironment: require.resolve('../../test/support/n8nCore/sharedContext.cjs'),
	testSequencer: require.resolve('./sequencer.cjs'),
	testRunner: require.resolve('./jest-circus-until-killed.cjs'),
};
