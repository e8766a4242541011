import { isJson, type Json } from '../../test/support/json.mts';

const text = (value: unknown) => (typeof value === 'string' ? value : '');

const object = (value: unknown): Json => (isJson(value) ? value : {});

/** Runtime dependencies are read from the manifest, not from the lock file, because npm installs by it. */
const DEPENDENCIES = ['dependencies', 'optionalDependencies', 'bundledDependencies'];

/**
 * What n8n refuses or asks about when a package is submitted for verification (docs/verification.md): of the manifest,
 * and of the workflow that publishes it. `publishedFrom` is the repository of a workflow that runs, such as
 * `owner/name`.
 */
export function verificationObstacles(manifest: Json, publishWorkflow: string, publishedFrom?: string): string[] {
	const { name, license, keywords, author, repository, scripts } = manifest;
	const repositoryUrl = text(object(repository).url) || text(repository);
	const found: string[] = [];
	if (!/^(@[^/]+\/)?n8n-nodes-/.test(text(name))) found.push(`the name ${text(name)} does not begin with n8n-nodes-`);
	if (license !== 'MIT') found.push('the license is not MIT');
	if (!(Array.isArray(keywords) && keywords.includes('n8n-community-node-package')))
		found.push('the keyword n8n-community-node-package is missing');
	if (!/github\.com[/:][^/]+\/[^/]+/.test(repositoryUrl)) found.push('the repository is not one of GitHub');
	if (text(object(author).name) === '' || text(object(author).email) === '')
		found.push('the author has no name or no e-mail address');
	for (const kind of DEPENDENCIES)
		if (Object.keys(object(manifest[kind])).length > 0 || Array.isArray(manifest[kind]))
			found.push(`there are ${kind}, and verified nodes have none`);
	for (const script of ['preinstall', 'install', 'postinstall'])
		if (script in object(scripts)) found.push(`the script ${script} would run where the package is installed`);
	if (object(manifest.n8n).strict !== true) found.push('n8n.strict is not on');
	if (!/npm publish [^\n]*--provenance/.test(publishWorkflow) || !/id-token: write/.test(publishWorkflow))
		found.push('publish.yml does not publish with provenance');
	if (publishedFrom !== undefined && !repositoryUrl.includes(`github.com/${publishedFrom}.git`))
		found.push(`the repository is ${repositoryUrl}, but this is ${publishedFrom}: npm refuses its provenance`);
	return found;
}
