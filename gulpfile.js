const { execFileSync } = require('node:child_process');
const { rmSync } = require('node:fs');
const { dest, series, src, watch } = require('gulp');

/** What the compiler leaves behind: icons and codex files, */
const ASSETS = ['icons/*.svg', 'nodes/**/*.json'];
/** and the schema previews, which n8n looks for beside the nodes. */
const PREVIEWS = 'schema/**/*.json';

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

function copyPreviews() {
	return src(PREVIEWS).pipe(dest(`${outDir}/nodes/Argyle/__schema__`));
}

exports.build = series(clean, compile, copyAssets, copyPreviews);
exports.watchAssets = () => watch([...ASSETS, PREVIEWS], { ignoreInitial: false }, series(copyAssets, copyPreviews));
