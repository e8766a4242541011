const { createRequire } = require('node:module');
const { isAbsolute } = require('node:path');
const { default: Runtime } = require('jest-runtime');

/** Modules of the tests with what n8n-core takes once in the life of a process. */
const ONCE = /(environment|processedValues)\.mts$/;

const loadedOnce = new Map();

/**
 * Loads what is installed once for all test files of a process, where Jest's own runtime loads it anew for each
 * file: n8n-core takes seconds. The package's own modules, and what they keep, are each file's own.
 */
module.exports = class SharedModulesRuntime extends Runtime {
	requireModuleOrMock(from, name) {
		const [once] = ONCE.exec(name) ?? [];
		if (once !== undefined) {
			if (!loadedOnce.has(once)) loadedOnce.set(once, super.requireModuleOrMock(from, name));
			return loadedOnce.get(once);
		}
		const isOwn = name.startsWith('.') || isAbsolute(name) || name === '@jest/globals';
		return isOwn ? super.requireModuleOrMock(from, name) : createRequire(from)(name);
	}
};
