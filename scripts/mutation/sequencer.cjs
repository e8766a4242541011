const { default: Sequencer } = require('@jest/test-sequencer');
const { notedTestFiles } = require('./testFiles.cjs');

/**
 * Only the files with a test that covers the mutant, the fastest first: Stryker hands Jest the names of such tests, but
 * not their files, and Jest begins with the slowest.
 */
module.exports = class CoveringFilesSequencer extends Sequencer {
	constructor({ globalConfig, ...options }) {
		super({ globalConfig, ...options });
		this.globalConfig = globalConfig;
	}

	sort(files) {
		const { rootDir, testNamePattern } = this.globalConfig;
		if (!testNamePattern) return super.sort(files);
		const covering = new RegExp(testNamePattern, 'i');
		return notedTestFiles(rootDir)
			.filter(({ tests }) => tests.some((test) => covering.test(test)))
			.sort((one, other) => one.milliseconds - other.milliseconds)
			.flatMap(({ path }) => files.filter((file) => file.path === path));
	}
};
