const { projects } = require('../../jest.config.js');

/** The unit suite alone: it has to find what is wrong with the pure modules without the suites above it. */
module.exports = {
	...projects.find(({ displayName }) => displayName === 'unit'),
	// Jest finds the tests that are related to a file through files in its roots only.
	roots: ['<rootDir>/nodes', '<rootDir>/test/unit'],
	testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
};
