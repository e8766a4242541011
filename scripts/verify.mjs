// The scanner that n8n runs on published packages, offline: on the source, and on the files of the packed tarball.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { prepareGate } from './lint/prepare.mjs';

const root = process.cwd();
await prepareGate();
const { analyzePackage, SOURCE_FILE_PATTERNS } = await import('@n8n/scan-community-package/scanner/scanner.mjs');

/** Builds and packs the package; gives the folder of the unpacked tarball, as a user's n8n gets it. */
function unpackTarball() {
	mkdirSync(join(root, '.work'), { recursive: true });
	const folder = mkdtempSync(join(root, '.work', 'scan-'));
	execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
	const [{ filename }] = JSON.parse(
		execFileSync('npm', ['pack', '--json', '--pack-destination', folder], {
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		}),
	);
	execFileSync('tar', ['-xzf', join(folder, filename), '-C', folder]);
	return folder;
}

let failed = false;
function report(what, { passed, message, details }) {
	console.log(`${passed ? 'passed' : 'FAILED'}: ${what}${passed ? '' : `\n${message}\n${details ?? ''}`}`);
	failed ||= !passed;
}

report('scan of the source', await analyzePackage(root, SOURCE_FILE_PATTERNS));
const unpacked = unpackTarball();
try {
	report('scan of the packed tarball', await analyzePackage(join(unpacked, 'package')));
} finally {
	rmSync(unpacked, { recursive: true });
}
process.exit(failed ? 1 : 0);
