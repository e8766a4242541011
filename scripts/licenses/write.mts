// `npm run licences`: writes docs/licences.md anew.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../test/support/paths.mts';
import { developmentPackages, ownLicence } from './packages.mts';
import { licenceTable, notAllowed } from './table.mts';

const packages = developmentPackages();
writeFileSync(join(root, 'docs', 'licenses.md'), licenceTable(ownLicence(), packages));
const refused = notAllowed(packages);
console.log(`${packages.length} packages${refused.length > 0 ? `; not allowed: ${refused.join(', ')}` : ''}`);
process.exitCode = refused.length === 0 ? 0 : 1;
