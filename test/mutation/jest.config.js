const { projects } = require('../../jest.config.js');

const n8nCore = projects.find(({ displayName }) => displayName === 'n8n-core');

/** The unit and n8n-core suites as Stryker runs them: in one project, in one file. */
module.exports = {
	...n8nCore,
	displayName: 'mutation',
	roots: ['<rootDir>/test/mutation'],
	testMatch: ['**/all.test.js'],
	testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
};
