// What is published is what a user's n8n needs, and nothing else.
import { execFileSync } from 'node:child_process';

execFileSync('npm', ['run', '--silent', 'build'], { stdio: ['ignore', 'ignore', 'inherit'] });
const [{ files }] = JSON.parse(
	execFileSync('npm', ['pack', '--dry-run', '--json'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
);
const paths = files.map(({ path }) => path);
const wanted =
	/^(package\.json|README\.md|LICENSE\.md|CHANGELOG\.md|dist\/(credentials|nodes|icons)\/.+\.(js|json|svg))$/;
const foreign = paths.filter((path) => !wanted.test(path));
const missing = ['package.json', 'README.md', 'LICENSE.md', 'CHANGELOG.md'].filter((path) => !paths.includes(path));
console.log(
	`${paths.length} files would be published${foreign.length ? `; not meant to be: ${foreign.join(', ')}` : ''}${missing.length ? `; missing: ${missing.join(', ')}` : ''}`,
);
process.exit(foreign.length + missing.length === 0 ? 0 : 1);
