import { isJson, type Json } from '../../support/json.mts';
import { textOfFile } from '../../support/paths.mts';

function readJson(name: string): Json {
	const value: unknown = JSON.parse(textOfFile(name));
	return isJson(value) ? value : {};
}

/** Every field of a manifest by which npm installs another package; an override changes what the others install. */
const INSTALLING_FIELDS = [
	'dependencies',
	'optionalDependencies',
	'bundledDependencies',
	'bundleDependencies',
	'overrides',
];

describe('the manifest', () => {
	it('installs no package with it, so that an audit of the published package has nothing to find', () => {
		const manifest = readJson('package.json');
		expect(manifest.name).toBe('n8n-nodes-argyle');
		expect(INSTALLING_FIELDS.filter((field) => field in manifest)).toEqual([]);
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	});

	it('leaves n8n-workflow to n8n: npm installs no second one beside the package', () => {
		expect(readJson('package.json').peerDependenciesMeta).toEqual({ 'n8n-workflow': { optional: true } });
	});

	it('runs nothing when it is installed', () => {
		const { scripts } = readJson('package.json');
		const names = Object.keys(isJson(scripts) ? scripts : {});
		expect(names).toContain('build');
		expect(names.filter((name) => /^(pre|post)?(install|prepare|publish)$|^prepublishOnly$/.test(name))).toEqual([]);
	});

	it('pins every development tool to the version that was tested', () => {
		const { devDependencies } = readJson('package.json');
		const versions = Object.entries(isJson(devDependencies) ? devDependencies : {});
		expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)))).toEqual([]);
	});
});
