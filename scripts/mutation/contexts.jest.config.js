const { projects } = require('../../jest.config.js');

/** The integration suite, and unit tests of the modules that it mutates, in one file for Jest. */
module.exports = {
	...projects.find(({ displayName }) => displayName === 'integration'),
	roots: ['<rootDir>/scripts/mutation'],
	testMatch: ['**/contexts.test.js'],
	testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
};
