// n8n's own strict lint over the whole project, with the unmodified default configuration.
import { spawnSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { gateFolder, prepareGate } from './prepare.mjs';

await prepareGate();
const bin = join(gateFolder, 'node_modules', '.bin');
const { status } = spawnSync(
	process.execPath,
	[join(gateFolder, 'node_modules', '@n8n', 'node-cli', 'bin', 'n8n-node.mjs'), 'lint', ...process.argv.slice(2)],
	{
		stdio: 'inherit',
		env: { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` },
	},
);
process.exit(status ?? 1);
