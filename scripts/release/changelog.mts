/** The heading under which changes gather until they are released. */
const UNRELEASED = '## Unreleased';

/** Takes the changelog; gives what stands under a version's heading, undefined when it has none or nothing stands there. */
export function entryOf(changelog: string, version: string): string | undefined {
	const sections = changelog.split(/^(?=## )/m);
	const section = sections.find((each) => each.split('\n', 1)[0]?.trim() === `## ${version}`);
	const text = section?.slice(section.indexOf('\n') + 1).trim() ?? '';
	return section === undefined || text === '' ? undefined : text;
}

/** Takes the changelog; gives it with the gathered changes under a version's heading. Throws when nothing has gathered. */
export function withRelease(changelog: string, version: string): string {
	if (entryOf(changelog, 'Unreleased') === undefined)
		throw new Error(`CHANGELOG.md has nothing under "${UNRELEASED}": say what is new in ${version}`);
	return changelog.replace(UNRELEASED, `## ${version}`);
}

/** Takes a manifest's version, the changelog, and the tag of a release if there is one already; gives what keeps it from being released. */
export function obstacles(version: string, changelog: string, tag: string | undefined): string[] {
	const found: string[] = [];
	if (!/^\d+\.\d+\.\d+$/.test(version)) found.push(`the version ${version} is not of the form 1.2.3`);
	if (entryOf(changelog, version) === undefined) found.push(`CHANGELOG.md says nothing about ${version}`);
	if (entryOf(changelog, 'Unreleased') !== undefined) found.push('CHANGELOG.md still has unreleased changes');
	if (tag !== undefined && tag !== `v${version}`) found.push(`the tag is ${tag}, but the version wants v${version}`);
	return found;
}
