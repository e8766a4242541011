import { verificationObstacles } from '../../../scripts/release/verification.mts';
import { textOfFile } from '../../support/paths.mts';

const manifest = JSON.parse(textOfFile('package.json'));
const workflow = textOfFile('.github/workflows/publish.yml');

it('nothing in the manifest or the publish workflow keeps n8n from verifying the package', () => {
	expect(verificationObstacles(manifest, workflow)).toEqual([]);
});

it.each<[object, RegExp]>([
	[{ name: 'argyle' }, /does not begin with n8n-nodes-/],
	[{ license: 'ISC' }, /license is not MIT/],
	[{ keywords: ['argyle'] }, /keyword n8n-community-node-package/],
	[{ repository: { url: 'https://example.com/argyle' } }, /not one of GitHub/],
	[{ author: 'somebody' }, /no name or no e-mail/],
	[{ dependencies: { axios: '1.0.0' } }, /there are dependencies/],
	[{ bundledDependencies: ['axios'] }, /there are bundledDependencies/],
	[{ scripts: { postinstall: 'node build.js' } }, /script postinstall/],
	[{ n8n: {} }, /strict is not on/],
])('a manifest with %p is not ready to be verified', (change, obstacle) => {
	expect(verificationObstacles({ ...manifest, ...change }, workflow)).toEqual([expect.stringMatching(obstacle)]);
});

it('a publish workflow without provenance is not ready for verification', () => {
	expect(verificationObstacles(manifest, workflow.replace('--provenance ', ''))).toEqual([
		'publish.yml does not publish with provenance',
	]);
});

it('a manifest that names another repository than the one that publishes it is not ready, because npm refuses that', () => {
	expect(verificationObstacles(manifest, workflow, 'n8n-nodes-argyle/n8n-nodes-argyle')).toEqual([]);
	expect(verificationObstacles(manifest, workflow, 'somebody/n8n-nodes-argyle')).toEqual([
		expect.stringMatching(/this is somebody\/n8n-nodes-argyle: npm refuses its provenance/),
	]);
});
