// `node scripts/licenses/write.mts`: writes docs/licenses.md anew, after a change of development tools.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../test/support/paths.mts';
import { developmentPackages, ownLicense } from './packages.mts';
import { licenseTable, notAllowed } from './table.mts';

const packages = developmentPackages();
writeFileSync(join(root, 'docs', 'licenses.md'), licenseTable(ownLicense(), packages));
const refused = notAllowed(packages);
console.log(`${packages.length} packages${refused.length > 0 ? `; not allowed: ${refused.join(', ')}` : ''}`);
process.exitCode = refused.length === 0 ? 0 : 1;
