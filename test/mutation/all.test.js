const { readdirSync } = require('node:fs');
const { join } = require('node:path');

const root = process.cwd();

// One file for Jest, so that n8n-core is loaded once for each mutant, not once for each file of tests.
for (const suite of ['unit', 'n8n-core']) {
	const files = readdirSync(join(root, 'test', suite), { recursive: true }).filter((file) =>
		file.endsWith('.test.mts'),
	);
	for (const file of files) {
		describe(file, () => {
			require(join(root, 'test', suite, file));
		});
	}
}
