const { execFileSync } = require('node:child_process');
const { rmSync } = require('node:fs');
const { dest, series, src } = require('gulp');

async function clean() {
	rmSync('dist', { recursive: true, force: true });
}

async function compile() {
	execFileSync(process.execPath, [require.resolve('typescript/bin/tsc')], { stdio: 'inherit' });
}

/** Copies what the compiler leaves behind: icons and codex files. */
function copyAssets() {
	return src(['icons/*.svg', 'nodes/**/*.node.json'], { base: '.', encoding: false }).pipe(dest('dist'));
}

exports.copyAssets = copyAssets;
exports.build = series(clean, compile, copyAssets);
