const { projects } = require('../../jest.config.js');

const LAYERS = ['api', 'shared', 'transport', 'trigger', 'utils'];

/** The modules' unit tests alone: they have to find what is wrong with the pure modules without the suites above. */
module.exports = {
	...projects.find(({ displayName }) => displayName === 'unit'),
	roots: LAYERS.map((layer) => `<rootDir>/test/unit/${layer}`),
	testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
	testSequencer: require.resolve('./sequencer.cjs'),
	testRunner: require.resolve('./jest-circus-until-killed.cjs'),
};
