/** Takes a suite's name and where its tests are; gives its jest project. */
function project(displayName, folders, settings = {}) {
	return {
		displayName,
		rootDir: process.cwd(),
		roots: folders.map((folder) => `<rootDir>/${folder}`),
		testMatch: ['**/*.test.mts'],
		testEnvironment: 'node',
		moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'json', 'node'],
		transform: { '\\.m?ts$': '<rootDir>/test/support/transform.cjs' },
		...settings,
	};
}

module.exports = {
	projects: [
		project('unit', ['test/unit', 'test/support']),
		project('integration', ['test/integration'], { setupFiles: ['<rootDir>/test/support/n8nCore/environment.mts'] }),
		project('e2e', ['test/e2e'], { testPathIgnorePatterns: ['/browser/', '/queue/'] }),
		project('queue', ['test/e2e/queue']),
		project('browser', ['test/e2e/browser']),
		project('bench', ['test/performance'], {
			testMatch: ['**/refusal.mts'],
			setupFiles: ['<rootDir>/test/support/n8nCore/environment.mts'],
		}),
		project('fuzz', ['test/fuzz'], { setupFiles: ['<rootDir>/test/support/n8nCore/environment.mts'] }),
	],
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageReporters: ['text'],
	coverageThreshold: { global: { branches: 95 } },
};
