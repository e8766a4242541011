// What `.ci/run` runs. Each step begins when those that it needs are over, and a failure keeps none from running, so
// that one run shows them all. Plain JavaScript without dependencies: nothing is installed yet when this begins.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';

/** Calls what Jest calls before suites: without n8n what Debian has for them, and n8n with the packed package. */
const prepare = (...files) => [
	...['node', '--input-type=module', '--eval'],
	files.map((file) => `await (await import('${process.cwd()}/test/${file}/prepare.mjs')).default();`).join(''),
];

/**
 * Left to the weekly run, and on GitHub to that of older n8n: what n8n's contexts or the simulation prove, and only a
 * new n8n or a change of docs/proxy could break. The longest of them take two minutes and more, because n8n is started
 * several times, or because they wait for an outage to end.
 */
const WEEKLY = [
	...['proxy/proxy', 'browser/pictures', 'e2e/uninstall', 'e2e/publicAddress'],
	...['faults/copy', 'faults/credential', 'faults/lifecycle', 'faults/process'],
];

const jest = (projects, ...args) => ['jest', '--ci', '--selectProjects', ...projects, ...args];

/**
 * What needs n8n is one chain, what needs none two others beside it: one takes a processor or two, while the other
 * installs, checks and compiles. A `suite` counts as many as it has tests, a `table` as many as its last line says,
 * anything else as one.
 */
const STEPS = {
	'development tools': { run: ['node', 'scripts/setup.mjs'] },
	n8n: { needs: ['development tools'], run: ['node', 'scripts/installN8n.mjs'] },
	verify: { needs: ['development tools'], run: ['npm', 'run', '--silent', 'verify'], counts: 'table' },
	lint: { needs: ['verify'], run: ['npm', 'run', '--silent', 'lint'] },
	contract: { needs: ['lint'], run: ['npm', 'run', '--silent', 'contract'], counts: 'table' },
	'unit and integration': {
		needs: ['development tools'],
		run: ['npm', 'run', '--silent', 'test', '--', '--ci'],
		counts: 'suite',
	},
	simulation: { needs: ['unit and integration'], run: jest(['simulation'], '--maxWorkers=2'), counts: 'suite' },
	// Beside the step of the real n8n, whose tests leave a processor idle while they wait.
	'fuzz and contract': { needs: ['simulation'], run: jest(['fuzz', 'contract'], '--runInBand'), counts: 'suite' },
	// Not beside `verify`, which builds the package too.
	preparation: { needs: ['n8n', 'verify'], run: prepare('support/n8n'), env: { N8N_IS_PREPARED: '' } },
	programs: { needs: ['development tools'], run: prepare('e2e', 'e2e/queue', 'e2e/browser') },
	'browser types': { needs: ['programs', 'lint'], run: ['tsc', '-p', 'test/e2e/browser'] },
	demo: { needs: ['preparation'], run: ['npm', 'run', '--silent', 'demo', '--', '--once'] },
	// Together, because many of their files mostly wait: for n8n to start, or for the trigger to look again.
	'real n8n': {
		needs: ['preparation', 'programs', 'simulation'],
		run: jest(
			...[['e2e', 'browser', 'queue', 'proxy', 'faults'], '--maxWorkers=5'],
			...['--testPathIgnorePatterns', ...WEEKLY],
		),
		counts: 'suite',
		// An n8n that a busy machine starts too late is no fault of ours.
		isTriedAgain: true,
	},
};

const RESULTS = '.work/ci';
const began = Date.now();
const seconds = () => Math.round((Date.now() - began) / 1000);
const total = { passed: 0, failed: 0 };

// The Node.js of the development tools once they are installed, as in npm's scripts.
process.env.PATH = join(process.cwd(), 'node_modules', '.bin') + delimiter + process.env.PATH;
// What the step "preparation" has done, no suite does again.
process.env.N8N_IS_PREPARED = 'true';

const isPassed = ({ status }) => status === 'passed';

/** Resolves with the exit code, and with what was printed. */
async function execute([command, ...args], env) {
	const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
	const printed = [];
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => printed.push(chunk));
	const code = await new Promise((resolve) => {
		child.once('error', () => resolve(1));
		child.once('close', resolve);
	});
	return { code, output: Buffer.concat(printed).toString() };
}

function countsOf(counts, report, output) {
	if (counts === 'suite') {
		const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
		return { passed: numPassedTests, failed: numFailedTests };
	}
	const [, passed = 0, failed = 0] = /^(\d+) passed, (\d+) failed$/m.exec(output.trimEnd().split('\n').at(-1)) ?? [];
	return { passed: Number(passed), failed: Number(failed) };
}

/** Runs the test files that failed once more, one after the other. A test that fails twice has failed. */
async function tryAgain(name, report, env) {
	const first = JSON.parse(readFileSync(report, 'utf8'));
	const files = first.testResults.filter(({ status }) => status === 'failed');
	const passedBefore = files.flatMap(({ assertionResults }) => assertionResults).filter(isPassed).length;
	const again = report.replace('.json', '-again.json');
	const run = ['jest', '--ci', '--runInBand', '--json', `--outputFile=${again}`, '--runTestsByPath'];
	const { code, output } = await execute([...run, ...files.map((file) => file.name)], env);
	const { passed, failed } = countsOf('suite', again, output);
	const paths = files.map((file) => relative(process.cwd(), file.name));
	console.log(`\n${name}: ${first.numFailedTests} failed, so these ran again: ${paths.join(', ')}`);
	return { code, output, result: { passed: first.numPassedTests - passedBefore + passed, failed } };
}

async function runStep(name, { run, counts, env = {}, isTriedAgain = false }) {
	const from = seconds();
	const report = join(RESULTS, `${name.replaceAll(' ', '-')}.json`);
	const args = counts === 'suite' ? [...run, '--json', `--outputFile=${report}`] : run;
	let { code, output } = await execute(args, env);
	let result = { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 };
	try {
		if (counts !== undefined) result = countsOf(counts, report, output);
		if (isTriedAgain && code !== 0) {
			console.log(output);
			({ code, output, result } = await tryAgain(name, report, env));
		}
	} catch {
		result = { passed: 0, failed: 1 };
	}
	// One that has no results, or breaks without a failed test, counts as one failure.
	if (result.failed === 0 && (code !== 0 || result.passed === 0)) result.failed = 1;
	total.passed += result.passed;
	total.failed += result.failed;
	console.log(`\n=== ${name} (from ${from} to ${seconds()} s): ${result.passed} passed, ${result.failed} failed`);
	// A suite's report stands in a file; of what passed, nobody reads more than that it did.
	if (result.failed > 0 || counts === 'table') console.log(output);
}

rmSync(RESULTS, { recursive: true, force: true });
mkdirSync(RESULTS, { recursive: true });
const begun = {};
for (const [name, { needs = [], ...step }] of Object.entries(STEPS))
	begun[name] = Promise.all(needs.map((other) => begun[other])).then(() => runStep(name, step));
await Promise.all(Object.values(begun));
console.log(`\nIn ${seconds()} s\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
