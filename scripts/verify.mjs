// `npm run verify`: whether what would be published is what n8n accepts and a user's n8n can load. Needs no network.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { lintFolder, prepareLintTools } from './lint/prepare.mjs';

const root = process.cwd();
const nodeVersionsFolder = join(root, 'scripts', 'nodeVersions');

const EXPECTED_FILES = ['package.json', 'README.md', 'LICENSE.md', 'CHANGELOG.md'];
const PUBLISHED = new RegExp(`^(${EXPECTED_FILES.join('|')}|dist/(credentials|nodes|icons)/.+\\.(js|json|svg))$`);

let passed = 0;
let failed = 0;

/** Prints a check; `problem` is empty when it passed. */
function report(check, problem) {
	if (problem === '') passed++;
	else failed++;
	console.log(problem === '' ? `passed: ${check}` : `FAILED: ${check}\n${problem}`);
}

/** Builds, packs and unpacks the package into `folder`. Returns the paths of its files. */
function unpackTarball(folder) {
	execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
	const printed = execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	const [{ filename, files }] = JSON.parse(printed);
	execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder]);
	return files.map(({ path }) => path);
}

function checkFiles(paths) {
	const unexpected = paths.filter((path) => !PUBLISHED.test(path)).map((path) => `unexpected: ${path}`);
	const missing = EXPECTED_FILES.filter((path) => !paths.includes(path)).map((path) => `missing: ${path}`);
	report(`the list of the ${paths.length} published files`, [...unexpected, ...missing].join('\n'));
}

/** Runs the scanner that n8n runs on published packages, on the source and on the unpacked tarball. */
async function scan(packageFolder) {
	const scanner = join(lintFolder, 'node_modules', '@n8n', 'scan-community-package', 'scanner', 'scanner.mjs');
	const { analyzePackage, SOURCE_FILE_PATTERNS } = await import(pathToFileURL(scanner).href);
	const problemOf = ({ passed, message, details }) => (passed ? '' : `${message}\n${details ?? ''}`);
	report("n8n's scan of the source", problemOf(await analyzePackage(root, SOURCE_FILE_PATTERNS)));
	report("n8n's scan of the packed tarball", problemOf(await analyzePackage(packageFolder)));
}

/** Loads the unpacked tarball under every Node.js that an n8n 2 runs on. */
function load(packageFolder) {
	const { dependencies } = JSON.parse(readFileSync(join(nodeVersionsFolder, 'package.json'), 'utf8'));
	for (const name of Object.keys(dependencies)) {
		const node = join(nodeVersionsFolder, 'node_modules', name, 'bin', 'node');
		const program = join(nodeVersionsFolder, 'load.cjs');
		const { status, stdout, stderr } = spawnSync(node, [program, packageFolder], { encoding: 'utf8' });
		report(`the packed tarball loads under ${status === 0 ? stdout.trim() : name}`, status === 0 ? '' : stderr);
	}
}

await prepareLintTools();
await ensureInstalled(nodeVersionsFolder, 'Node.js 20, 22 and 24', { usual: 60 });
mkdirSync(join(root, '.work'), { recursive: true });
const folder = mkdtempSync(join(root, '.work', 'verify-'));
try {
	const packageFolder = join(folder, 'package');
	checkFiles(unpackTarball(folder));
	await scan(packageFolder);
	load(packageFolder);
} finally {
	rmSync(folder, { recursive: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
