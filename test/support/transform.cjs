const { createTransformer } = require('ts-jest').default;

// Types are checked once, by `npm run typecheck`.
const tsJest = createTransformer({
	diagnostics: false,
	tsconfig: {
		target: 'es2023',
		module: 'commonjs',
		isolatedModules: true,
		esModuleInterop: true,
		experimentalDecorators: true,
	},
});

/** Jest's CommonJS runtime can't load ES modules, which `.mts` is to ts-jest: it sees the name of a plain `.ts`. */
const asPlainTs = (file) => file.replace(/\.mts$/, '.ts');

module.exports = {
	process: (source, file, options) => tsJest.process(source, asPlainTs(file), options),
	getCacheKey: (source, file, options) => tsJest.getCacheKey(source, asPlainTs(file), options),
};
