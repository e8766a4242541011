import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../support/paths.mts';

const folder = join(root, '.github', 'workflows');
const workflows = readdirSync(folder).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));

describe.each(workflows)('.github/workflows/$name', ({ text }) => {
	it('pins every action to a commit, with its version in a comment', () => {
		const used = text.match(/\buses:.*/g) ?? [];
		expect(used.length).toBeGreaterThan(0);
		for (const line of used) expect(line).toMatch(/^uses: actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
	});

	it('has only read permissions, except for the id-token that signs what is published', () => {
		expect(text).toContain('\npermissions:\n  contents: read\n');
		expect(text.match(/\S+: write\b/g) ?? []).toEqual(text.includes('npm publish') ? ['id-token: write'] : []);
	});

	it('has a time-out for each job', () => {
		const jobs = text.match(/runs-on:/g) ?? [];
		expect(text.match(/timeout-minutes: \d+/g)).toHaveLength(jobs.length);
	});
});
