const { readdirSync } = require('node:fs');
const { join } = require('node:path');

const folder = join(process.cwd(), 'test', 'integration');
const files = [
	...readdirSync(folder).map((file) => join(folder, file)),
	join(process.cwd(), 'test', 'unit', 'trigger', 'secretLookup.test.mts'),
].filter((file) => file.endsWith('.test.mts'));

// One file for Jest, so that n8n-core is loaded once for each mutant, not once for each file of tests.
for (const file of files) {
	describe(file, () => {
		require(file);
	});
}
