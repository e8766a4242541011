// `npm test`: the types beside the tests, which leave a processor idle while they wait. Arguments are for Jest.
import { spawn } from 'node:child_process';

function run(command, args, stdio) {
	const child = spawn(command, args, { stdio });
	const printed = [];
	child.stdout?.on('data', (chunk) => printed.push(chunk));
	return new Promise((resolve, reject) => {
		child.once('error', reject);
		child.once('close', (code) => resolve({ hasPassed: code === 0, output: Buffer.concat(printed).toString() }));
	});
}

const [tests, types] = await Promise.all([
	run('jest', ['--selectProjects', 'unit', 'integration', '--maxWorkers=3', ...process.argv.slice(2)], 'inherit'),
	run('npm', ['run', '--silent', 'typecheck'], ['ignore', 'pipe', 'inherit']),
]);
// Behind the summary of the tests, where it is seen. Standard output may be Jest's report alone.
if (!types.hasPassed) console.error(`${types.output}\nThe types do not fit.`);
process.exitCode = tests.hasPassed && types.hasPassed ? 0 : 1;
