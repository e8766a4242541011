const { createEmptyTestResult } = require('@jest/test-result');
const { default: runTestFile } = require('jest-circus/runner');
const { noteTestFile } = require('./testFiles.cjs');

/** The last mutant that a test failed with. */
let killed;

const skippedFile = (testFilePath) => ({
	...createEmptyTestResult(),
	testFilePath,
	skipped: true,
	// Jest refuses a file without tests.
	testResults: [{ ancestorTitles: [], title: '', fullName: '', status: 'pending', failureMessages: [] }],
});

/**
 * Runs no test any more once one has failed, where Stryker runs all that cover the mutant. It knows a runner that it
 * supports by the "jest-circus" in its path.
 */
module.exports = async function runUntilKilled(globalConfig, config, environment, runtime, path, sendMessage) {
	const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
	if (mutant === undefined) {
		const result = await runTestFile(globalConfig, config, environment, runtime, path, sendMessage);
		const tests = result.testResults.map(({ fullName }) => fullName);
		noteTestFile(config.rootDir, { path, milliseconds: result.perfStats.runtime, tests });
		return result;
	}
	if (killed === mutant) return skippedFile(path);

	const handleTestEvent = environment.handleTestEvent?.bind(environment);
	environment.handleTestEvent = async (event, state) => {
		await handleTestEvent?.(event, state);
		if (event.name === 'test_done' && event.test.errors.length > 0) killed = mutant;
		if (event.name === 'test_start' && killed === mutant) event.test.mode = 'skip';
	};
	return await runTestFile(globalConfig, config, environment, runtime, path, sendMessage);
};
