// `npm run suite -- planted [3 17]`: how soon the simulation finds each planted fault, as a table.
import { createRequire, registerHooks } from 'node:module';
import type { Mode, Setting } from './variety.mts';

const MODES: Mode[] = ['one process', 'queue'];
const FIRST_SEED = Number(process.env.SIMULATION_SEED ?? 1);
const WORLDS = Number(process.env.SIMULATION_WORLDS ?? 150);

// Its ES modules are for bundlers.
const workflowFile = createRequire(import.meta.url).resolve('n8n-workflow');
registerHooks({ resolve: (name, context, next) => next(name === 'n8n-workflow' ? workflowFile : name, context) });
const { PLANTED_FAULTS } = await import('./plantedFaults.mts');
const { plant } = await import('./process.mts');
const { judge } = await import('./promises.mts');
const { drawLife } = await import('./life.mts');
const { drawTrouble } = await import('./trouble.mts');
const { World } = await import('./world.mts');

const uncaught: unknown[] = [];
process.on('unhandledRejection', (error) => uncaught.push(error));

/** The promises that a world breaks, the first one of each form. */
async function brokenIn(seed: number, setting: Setting): Promise<string[]> {
	const world = new World(seed, setting);
	await world.run();
	const errors = uncaught.splice(0).map((error) => `an error that nobody caught: ${String(error)}`);
	return [...judge(world).violations.map(({ promise }) => promise), ...errors];
}

/** Worlds of both modes in turn, until one breaks a promise that it keeps without the fault. */
async function find(fault: (typeof PLANTED_FAULTS)[number]): Promise<string[] | undefined> {
	const { from = FIRST_SEED } = fault;
	for (let seed = from; seed < from + WORLDS; seed++)
		for (const setting of fault.isInLife ? [drawLife(seed)] : MODES.map((mode) => drawTrouble(seed, mode))) {
			plant(fault);
			const [promise] = await brokenIn(seed, setting);
			if (promise === undefined) continue;
			plant(undefined);
			if (!(await brokenIn(seed, setting)).includes(promise)) return [String(seed), setting.mode, promise];
		}
	return undefined;
}

for (const fault of PLANTED_FAULTS) plant(fault);
const requested = process.argv.slice(2).map(Number);
console.log('| | Fault | World | Mode | Promise |\n|---|---|---|---|---|');
for (const [index, fault] of PLANTED_FAULTS.entries()) {
	if (requested.length > 0 && !requested.includes(index + 1)) continue;
	const found = await find(fault);
	if (found === undefined && fault.foundBy === undefined) process.exitCode = 1;
	const cells = found ?? ['', '', fault.foundBy ?? '**not found**'];
	console.log(`| ${[index + 1, fault.name, ...cells].join(' | ')} |`);
}
