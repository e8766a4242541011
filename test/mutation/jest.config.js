const { projects } = require('../../jest.config.js');

const [unit, n8nCore] = projects;

/** The unit and n8n-core suites as one project: Stryker measures one. */
module.exports = {
	...n8nCore,
	displayName: 'mutation',
	roots: [...unit.roots, ...n8nCore.roots].filter((folder) => !folder.endsWith('test/service')),
	testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
};
