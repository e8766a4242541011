const { projects } = require('../../jest.config.js');

/** The unit suite alone, which has to hold the pure modules by itself. */
module.exports = {
	...projects.find(({ displayName }) => displayName === 'unit'),
	roots: ['<rootDir>/test/unit'],
	testEnvironment: '@stryker-mutator/jest-runner/jest-env/node',
};
