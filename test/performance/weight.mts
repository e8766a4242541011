import { execFileSync } from 'node:child_process';
import { renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startN8nFixture } from '../support/n8n/fixture.mts';
import { tarball } from '../support/n8n/installedPackage.mts';
import { root } from '../support/paths.mts';
import { median } from '../support/statistics.mts';
import { fixed, type Row, section } from './markdown.mts';
import { residentMemory } from './sampler.mts';

const STARTS = 4;
const LOADS = 15;

/** Loads the package as n8n does, in a process that has loaded n8n-workflow; prints milliseconds and MiB. */
const LOADING = `
require('n8n-workflow'); require('crypto');
const manifest = require('./package.json').n8n;
global.gc();
const memory = process.memoryUsage().heapUsed;
const startedAt = process.hrtime.bigint();
const modules = [...manifest.credentials, ...manifest.nodes].map((file) => require('./' + file));
const instances = modules.flatMap(Object.values).map((Type) => new Type());
const ms = Number(process.hrtime.bigint() - startedAt) / 1e6;
global.gc();
console.log(ms, (process.memoryUsage().heapUsed - memory) / 2 ** 20, instances.length);
`;

/** What was measured once: a time, and memory in MiB. */
type Sample = [time: number, mib: number];

function load(): Sample {
	const printed = execFileSync(process.execPath, ['--expose-gc', '-e', LOADING], { cwd: root, encoding: 'utf8' });
	const [ms = NaN, mib = NaN] = printed.trim().split(' ').map(Number);
	return [ms, mib];
}

function row(name: string, samples: Sample[], timeUnit: string, memory: string): Row {
	const [time, mib] = [0, 1].map((index) => fixed(median(samples.map((sample) => sample[index] ?? NaN)), 2));
	return [`${name} (median of ${samples.length})`, `${time} ${timeUnit}`, `${mib} MiB ${memory}`];
}

/** What the package adds to n8n. */
export async function* weight(): AsyncGenerator<string> {
	const fixture = await startN8nFixture();
	const installed = join(fixture.n8n.userFolder, '.n8n', 'nodes', 'node_modules', 'n8n-nodes-argyle');
	const removed = `${installed}.removed`;
	async function start(from: string, to: string): Promise<Sample> {
		const startedAt = performance.now();
		await fixture.restart({ whileStopped: () => renameSync(from, to) });
		return [(performance.now() - startedAt) / 1_000, residentMemory(fixture.n8n.pid)];
	}
	const [without, withPackage]: [Sample[], Sample[]] = [[], []];
	for (let round = 0; round < STARTS; round++) {
		without.push(await start(installed, removed));
		withPackage.push(await start(removed, installed));
	}
	await fixture.stop();
	const rows = [
		row('both nodes and the credential loaded', Array.from({ length: LOADS }, load), 'ms', 'of heap'),
		row('n8n started without the package', without, 's', 'resident'),
		row('n8n started with the package', withPackage, 's', 'resident'),
		['packed', '', `${fixed(statSync(tarball).size / 1024)} KiB`],
	];
	yield section('What the package adds to n8n', ['', 'time', 'size'], rows);
}
