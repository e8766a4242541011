import { installPackages, isThere } from '../../scripts/debian.mjs';
import prepareN8n from '../support/n8n/prepare.mjs';

/** Builds the package and installs what the end-to-end tests need. */
export default async function prepare() {
	await installPackages(isThere('openssl') ? [] : ['openssl'], 'The fake Google of the end-to-end tests');
	await prepareN8n();
}
