const { projects } = require('../../jest.config.js');

/** The suites that hold the modules which speak to n8n and the service, in one file for Jest. */
module.exports = {
	...projects.find(({ displayName }) => displayName === 'integration'),
	roots: ['<rootDir>/scripts/mutation'],
	testMatch: ['**/contexts.test.js'],
	testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
};
