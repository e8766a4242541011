import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { tarball } from '../support/n8n/installedPackage.mts';
import { startN8nFixture } from '../support/n8n/fixture.mts';
import { root } from '../support/paths.mts';
import { median } from '../support/statistics.mts';
import { fixed, type Row, section } from './markdown.mts';
import { residentMemory } from './sampler.mts';

const STARTS = 4;
const LOADS = 15;

/** Loads the package as n8n does, in a process that has n8n-workflow already; prints milliseconds and MiB. */
const LOADING = `
require('n8n-workflow'); require('crypto');
const manifest = require('./package.json').n8n;
global.gc();
const memory = process.memoryUsage().heapUsed;
const before = process.hrtime.bigint();
const made = [...manifest.credentials, ...manifest.nodes].map((file) => Object.values(require('./' + file)).map((Type) => new Type()));
const ms = Number(process.hrtime.bigint() - before) / 1e6;
global.gc();
console.log(ms, (process.memoryUsage().heapUsed - memory) / 2 ** 20, made.length);
`;

function load(): { ms: number; mib: number } {
	const printed = execFileSync(process.execPath, ['--expose-gc', '-e', LOADING], { cwd: root, encoding: 'utf8' });
	const [ms = NaN, mib = NaN] = printed.trim().split(' ').map(Number);
	return { ms, mib };
}

/** f) What the package adds to n8n. */
export async function weight(): Promise<string> {
	const loads = Array.from({ length: LOADS }, load);
	const world = await startN8nFixture({ activation: 'publication' });
	const starts: Record<'with' | 'without', Array<{ seconds: number; mib: number }>> = { with: [], without: [] };
	const packages = join(world.n8n.userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-argyle');
	const put = { with: packages, without: `${packages}.away` };
	for (let index = 0; index < STARTS; index++)
		for (const which of ['without', 'with'] as const) {
			const startedAt = performance.now();
			await world.restart({
				whileStopped: () => execFileSync('mv', ['-T', put[which === 'with' ? 'without' : 'with'], put[which]]),
			});
			starts[which].push({ seconds: (performance.now() - startedAt) / 1_000, mib: residentMemory(world.n8n.pid) });
		}
	await world.stop();
	const rows: Row[] = [
		[
			`loading both nodes and the credential, with all they need (median of ${LOADS})`,
			`${fixed(median(loads.map(({ ms }) => ms)))} ms`,
			`${fixed(median(loads.map(({ mib }) => mib)), 2)} MiB of heap`,
		],
		...(['without', 'with'] as const).map(
			(which): Row => [
				`n8n started ${which} the package (median of ${STARTS})`,
				`${fixed(median(starts[which].map(({ seconds }) => seconds)), 2)} s`,
				`${fixed(median(starts[which].map(({ mib }) => mib)), 0)} MiB resident`,
			],
		),
		['packed', '', `${fixed(statSync(tarball).size / 1024)} KiB`],
	];
	return section('What the package adds to n8n', ['', 'time', 'size'], rows);
}
