// npm runs this within `npm version`, before it commits and tags: what is under "Unreleased" becomes the new version's.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { withRelease } from './changelog.mts';

const { npm_package_version: version } = process.env;
if (version === undefined) throw new Error('Start this by `npm version`');
writeFileSync('CHANGELOG.md', withRelease(readFileSync('CHANGELOG.md', 'utf8'), version));
execFileSync('git', ['add', 'CHANGELOG.md']);
