import { createRequire } from 'node:module';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { isJson } from '../support/json.mts';
import { n8nFolder } from '../support/n8n/selectedVersion.mts';

export type Row = Array<string | number>;

const line = (cells: Row) => `| ${cells.join(' | ')} |`;

/** A heading, a note and a table. */
export function section(title: string, columns: string[], rows: Row[], note = ''): string {
	const table = [columns, columns.map(() => '---'), ...rows].map(line).join('\n');
	return [`### ${title}`, note, table].filter((part) => part !== '').join('\n\n');
}

export const fixed = (value: number, digits = 1) => value.toFixed(digits);

/** The machine, the versions and the date of the figures. */
export function conditions(): string {
	const n8n: unknown = createRequire(join(n8nFolder, 'package.json'))('n8n/package.json');
	const n8nVersion = isJson(n8n) ? String(n8n.version) : '?';
	const gib = Math.round(totalmem() / 2 ** 30);
	const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${gib} GiB`;
	const { node, undici } = process.versions;
	const date = new Date().toISOString().slice(0, 10);
	return `${date}, n8n ${n8nVersion}, Node.js ${node}, undici ${undici}, ${machine}.`;
}

const BLOCK = /(?<=<!-- bench:start -->\n)[^]*(?=<!-- bench:end -->)/;

/** Replaces what is between the markers of the bench in a page. */
export function replaceBlock(page: string, sections: string[]): string {
	if (!BLOCK.test(page)) throw new Error('The page lacks the markers of the bench');
	return page.replace(BLOCK, () => `\n${sections.join('\n\n')}\n\n`);
}
