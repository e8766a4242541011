// npm runs this before `npm version` changes anything: there is something to release.
import { readFileSync } from 'node:fs';
import { withRelease } from './changelog.mts';

withRelease(readFileSync('CHANGELOG.md', 'utf8'), 'the next version');
