// `npm run release:check`: everything that a release does, without publishing. RELEASE_TAG is the tag that is released,
// if there is one.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJson } from '../../test/support/json.mts';
import { root, workFolder } from '../../test/support/paths.mts';
import { obstacles } from './changelog.mts';
import { verificationObstacles } from './verification.mts';

const STEPS = ['lint', 'verify'];

const manifest: unknown = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const publishWorkflow = readFileSync(join(root, '.github', 'workflows', 'publish.yml'), 'utf8');
const version = isJson(manifest) ? String(manifest.version) : '';
const found = obstacles(version, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), process.env.RELEASE_TAG);
if (isJson(manifest)) found.push(...verificationObstacles(manifest, publishWorkflow, process.env.GITHUB_REPOSITORY));
if (!existsSync(join(root, 'test', 'support', 'releases', version, 'names.json')))
	found.push(`test/support/releases has nothing of ${version} (docs/upgrades.md)`);
if (readFileSync(join(root, 'README.md'), 'utf8').includes('not on npm yet'))
	found.push('README.md says that it is not on npm yet (docs/upgrades.md)');

for (const step of STEPS) {
	console.log(`\n=== ${step}`);
	if (spawnSync('npm', ['run', '--silent', step], { stdio: 'inherit' }).status !== 0) found.push(`${step} failed`);
}

// `verify` has built what is packed here.
console.log('\n=== the tarball');
const packFolder = join(workFolder, 'release');
mkdirSync(packFolder, { recursive: true });
const packed: unknown = JSON.parse(
	execFileSync('npm', ['pack', '--json', '--pack-destination', packFolder], {
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	}),
);
const [tarball]: unknown[] = Array.isArray(packed) ? packed : [];
if (!isJson(tarball)) throw new Error('npm packed nothing');
for (const file of (Array.isArray(tarball.files) ? tarball.files : []).filter(isJson))
	console.log(`${String(file.size).padStart(8)}  ${file.path}`);
console.log(
	`${tarball.filename}: ${tarball.entryCount} files, ${tarball.size} bytes packed, ${tarball.unpackedSize} unpacked, ${tarball.integrity}`,
);

console.log(found.length === 0 ? `\nReady to be released as v${version}` : `\nNot ready:\n- ${found.join('\n- ')}`);
process.exitCode = found.length === 0 ? 0 : 1;
