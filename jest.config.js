const REAL_N8N = { globalSetup: '<rootDir>/test/support/n8n/prepare.mjs' };
/** What is installed is loaded once for all test files of a process, which saves a third of the time. */
const SHARED_MODULES = {
	runtime: '<rootDir>/test/support/n8nCore/sharedModules.cjs',
	testEnvironment: '<rootDir>/test/support/n8nCore/sharedContext.cjs',
};
const N8N_CORE = { setupFiles: ['<rootDir>/test/support/n8nCore/loadEnvironment.cjs'] };

/** A Jest project: a suite with the folders of its tests. */
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
		project('unit', ['test/unit', 'test/support'], SHARED_MODULES),
		project('integration', ['test/integration'], { ...SHARED_MODULES, ...N8N_CORE }),
		project('simulation', ['test/simulation'], SHARED_MODULES),
		project('e2e', ['test/e2e'], {
			// Not by ignored paths, which those of a command line would replace.
			testMatch: ['<rootDir>/test/e2e/*.test.mts'],
			globalSetup: '<rootDir>/test/e2e/prepare.mjs',
		}),
		project('queue', ['test/e2e/queue'], { globalSetup: '<rootDir>/test/e2e/queue/prepare.mjs' }),
		project('proxy', ['test/e2e/proxy'], { globalSetup: '<rootDir>/test/e2e/proxy/prepare.mjs' }),
		project('browser', ['test/e2e/browser'], { globalSetup: '<rootDir>/test/e2e/browser/prepare.mjs' }),
		project('faults', ['test/faults'], REAL_N8N),
		project('contract', ['test/contract']),
		project('fuzz', ['test/fuzz'], { setupFiles: [...N8N_CORE.setupFiles, '<rootDir>/test/fuzz/seed.mts'] }),
	],
	testSequencer: '<rootDir>/test/support/longestFirst.cjs',
	// No test measures time, and a machine may be busy with something else.
	testTimeout: 600_000,
	// A worker that has nothing left to do ends within half a second, but not on such a machine.
	workerGracefulExitTimeout: 10_000,
	// Of the faults that share an n8n, which publishes five workflows at a time.
	maxConcurrency: 4,
	collectCoverageFrom: ['nodes/**/*.ts', 'credentials/**/*.ts'],
	coverageReporters: ['text'],
	coverageThreshold: { global: { branches: 98 } },
};
