/** The heading under which changes gather until they are released. */
const UNRELEASED = '## Unreleased';

/** Returns the text under a version's heading, undefined when there is no heading or no text. */
export function entryOf(changelog: string, version: string): string | undefined {
	const sections = changelog.split(/^(?=## )/m);
	const section = sections.find((each) => each.split('\n', 1)[0]?.trim() === `## ${version}`);
	const text = section?.slice(section.indexOf('\n') + 1).trim() ?? '';
	return section === undefined || text === '' ? undefined : text;
}

/** Returns the changelog with the unreleased changes under a version's heading. Throws when there are none. */
export function withRelease(changelog: string, version: string): string {
	if (entryOf(changelog, 'Unreleased') === undefined)
		throw new Error(
			`CHANGELOG.md has nothing under "${UNRELEASED}": say what is new in ${version}. npm has written the version ` +
				'already: `git restore package.json package-lock.json`, commit the entry, then start again',
		);
	return changelog.replace(UNRELEASED, `## ${version}`);
}

/** Returns what keeps the manifest's version from being released. `tag` is the release's tag, once there is one. */
export function obstacles(version: string, changelog: string, tag: string | undefined): string[] {
	const found: string[] = [];
	if (!/^\d+\.\d+\.\d+$/.test(version)) found.push(`the version ${version} is not of the form 1.2.3`);
	if (entryOf(changelog, version) === undefined) found.push(`CHANGELOG.md says nothing about ${version}`);
	if (entryOf(changelog, 'Unreleased') !== undefined) found.push('CHANGELOG.md still has unreleased changes');
	if (tag !== undefined && tag !== `v${version}`) found.push(`the tag is ${tag}, but the version is v${version}`);
	return found;
}
