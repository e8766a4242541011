/** Takes a suite's name and where its tests are; gives its jest project. */
function project(displayName, folders, settings = {}) {
	return {
		displayName,
		rootDir: process.cwd(),
		roots: folders.map((folder) => `<rootDir>/${folder}`),
		testMatch: ['**/*.test.mts'],
		testEnvironment: 'node',
		moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'json', 'node'],
		transform: { '\\.m?ts$': '<rootDir>/test/transform.cjs' },
		...settings,
	};
}

module.exports = {
	projects: [
		project('unit', ['test/unit', 'test/service']),
		project('n8n-core', ['test/n8n-core'], { setupFiles: ['<rootDir>/test/n8n-core/environment.mts'] }),
		project('e2e', ['test/e2e']),
		project('queue', ['test/queue']),
		project('browser', ['test/browser']),
		project('bench', ['test/bench'], {
			testMatch: ['**/refusal.mts'],
			setupFiles: ['<rootDir>/test/n8n-core/environment.mts'],
		}),
		project('fuzz', ['test/fuzz'], { setupFiles: ['<rootDir>/test/n8n-core/environment.mts'] }),
	],
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageReporters: ['text'],
	coverageThreshold: { global: { branches: 95 } },
};
