// `npm run suite -- NAME [ARGUMENTS]`: runs one suite, after what it needs is installed. Arguments are for Jest.
import { spawn } from 'node:child_process';

/** How each suite runs best on two processors. Those with a real n8n mostly wait for it. */
const SUITES = {
	unit: { jest: ['--selectProjects', 'unit', '--maxWorkers=2'] },
	integration: { jest: ['--selectProjects', 'integration', '--maxWorkers=2'] },
	coverage: { jest: ['--selectProjects', 'unit', 'integration', '--coverage'] },
	simulation: { jest: ['--selectProjects', 'simulation', '--maxWorkers=2'] },
	planted: { program: ['node', 'test/simulation/plant.mts'] },
	fuzz: { jest: ['--selectProjects', 'fuzz', '--runInBand'] },
	contract: { jest: ['--selectProjects', 'contract', '--runInBand'] },
	e2e: { n8n: true, jest: ['--selectProjects', 'e2e', '--maxWorkers=2'] },
	faults: { n8n: true, jest: ['--selectProjects', 'faults', '--maxWorkers=3'] },
	queue: { n8n: true, jest: ['--selectProjects', 'queue', '--runInBand'] },
	proxy: { n8n: true, jest: ['--selectProjects', 'proxy', '--runInBand'] },
	browser: { n8n: true, jest: ['--selectProjects', 'browser', '--runInBand'] },
};

async function run(command, args) {
	const child = spawn(command, args, { stdio: 'inherit' });
	return await new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (code) => resolve(code ?? 1));
	});
}

const [name = '', ...args] = process.argv.slice(2);
const suite = SUITES[name];
if (suite === undefined) {
	console.error(`npm run suite -- NAME [ARGUMENTS FOR JEST], where NAME is one of ${Object.keys(SUITES).join(', ')}`);
	process.exit(1);
}
process.exitCode = await run('node', ['scripts/setup.mjs', ...(suite.n8n ? ['n8n'] : [])]);
if (process.exitCode === 0) {
	const [command, ...own] = suite.program ?? ['jest', ...suite.jest];
	process.exitCode = await run(command, [...own, ...args]);
}
