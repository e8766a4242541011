const { execFileSync } = require('node:child_process');
const { rmSync } = require('node:fs');
const { dest, series, src, watch } = require('gulp');

/** What the compiler leaves behind: icons, codex files and schema previews. */
const ASSETS = ['icons/*.svg', 'nodes/**/*.json'];

/** `npm run dev` has another folder: the one that its n8n loads. */
const { OUT_DIR: outDir = 'dist' } = process.env;

async function clean() {
	rmSync(outDir, { recursive: true, force: true });
}

async function compile() {
	const tsc = require.resolve('typescript/bin/tsc');
	execFileSync(process.execPath, [tsc, '--outDir', outDir], { stdio: 'inherit' });
}

function copyAssets() {
	return src(ASSETS, { base: '.', encoding: false }).pipe(dest(outDir));
}

exports.build = series(clean, compile, copyAssets);
exports.watchAssets = () => watch(ASSETS, { ignoreInitial: false }, copyAssets);
