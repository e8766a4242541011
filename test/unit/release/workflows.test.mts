import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

const publish = workflows.find(({ name }) => name === 'publish.yml')?.text ?? '';

const jobsWith = (text: string) => publish.split(/^(?=  \w+:\n)/m).filter((job) => job.includes(text));

const stepsOf = (job = '') => job.match(/\b(?:uses: actions\/[\w-]+|run: .*)/g);

it('the tarball that is published comes of a job that runs the build and no other code of a package', () => {
	const [pack, ...others] = jobsWith('actions/upload-artifact');
	expect(others).toEqual([]);
	expect(pack).toContain('needs: test\n');
	expect(stepsOf(pack)).toEqual([
		'uses: actions/checkout',
		'uses: actions/setup-node',
		'run: npm ci --ignore-scripts',
		'run: npm run build',
		'run: npm pack --ignore-scripts',
		'uses: actions/upload-artifact',
	]);
});

it('the job that may publish gets only the packed tarball: what it runs is npm publish, and nothing of the repository', () => {
	const jobs = jobsWith('id-token: write');
	expect(jobs).toEqual([expect.stringContaining('environment: npm\n')]);
	expect(jobs[0]).toContain('needs: pack\n');
	expect(stepsOf(jobs[0])).toEqual([
		'uses: actions/download-artifact',
		'uses: actions/setup-node',
		'run: npm publish ./n8n-nodes-argyle-*.tgz --provenance --access public --ignore-scripts',
	]);
});

it('a tag whose commit is not on main ends before anything of it runs', () => {
	const [test = ''] = jobsWith('runs-on:');
	const [first] = test.match(/\brun: .*/g) ?? [];
	expect(first).toBe('run: git merge-base --is-ancestor "$GITHUB_SHA" origin/main');
	expect(test).toContain('fetch-depth: 0');
});

it("publish.yml scans the release itself, and fails when n8n's scanner, which always ends with 0, finds something", () => {
	const [script = ''] = /for attempt[\s\S]*?exit 1/.exec(publish) ?? [];
	const cwd = mkdtempSync(join(tmpdir(), 'scan-'));
	const run = (verdict: string) =>
		spawnSync('bash', ['-eo', 'pipefail', '-c', `npx() { echo "$* ${verdict}"; }; sleep() { :; }; ${script}`], {
			cwd,
			encoding: 'utf8',
			env: { ...process.env, RELEASE_TAG: 'v1.2.3' },
		});
	expect(run('has failed security checks').status).toBe(1);
	const { status, stdout } = run('has passed all security checks');
	rmSync(cwd, { recursive: true });
	expect(status).toBe(0);
	expect(stdout).toContain('n8n-nodes-argyle@1.2.3 ');
});
