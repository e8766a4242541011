const { readdirSync } = require('node:fs');
const { join } = require('node:path');

const testsIn = (...folder) =>
	readdirSync(join(process.cwd(), ...folder)).map((file) => join(process.cwd(), ...folder, file));

const isOfMutatedModule = (file) =>
	/(authentication|desiredSubscription|download|request|retry|secretLookup|webhook)\.test\.mts$/.test(file);

// Jest loads the modules anew for each test file, and n8n-core takes seconds: as one file it is loaded once for each
// mutant, not twenty times.
for (const file of [
	...testsIn('test', 'integration').filter((file) => file.endsWith('.test.mts')),
	...['transport', 'trigger'].flatMap((layer) => testsIn('test', 'unit', layer)).filter(isOfMutatedModule),
]) {
	describe(file, () => {
		require(file);
	});
}
