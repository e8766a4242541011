import { cpus, totalmem } from 'node:os';
import { createRequire } from 'node:module';

/** One row of a table. */
export type Row = Array<string | number>;

/** Takes a heading and its table; gives both as Markdown. */
export function section(title: string, columns: string[], rows: Row[], note = ''): string {
	const line = (cells: Row) => `| ${cells.join(' | ')} |`;
	return [
		`## ${title}`,
		'',
		...(note ? [note, ''] : []),
		line(columns),
		line(columns.map(() => '---')),
		...rows.map(line),
		'',
	].join('\n');
}

/** Takes a number; gives it with so many digits behind the point. */
export const fixed = (value: number, digits = 1) => value.toFixed(digits);

const versionOf = (name: string): string => {
	const manifest: unknown = createRequire(`${process.cwd()}/test/support/n8n/versions/2.41.1/`)(`${name}/package.json`);
	return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '?';
};

/** The machine and the versions that all figures were got with. */
export function machine(): string {
	const gib = Math.round(totalmem() / 2 ** 30);
	return `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${gib} GiB, Node.js ${process.versions.node}, n8n ${versionOf('n8n')}, undici ${process.versions.undici}, ${new Date().toISOString().slice(0, 10)}`;
}
