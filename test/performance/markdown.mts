import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isJson } from '../support/json.mts';
import { n8nFolder } from '../support/n8n/selectedVersion.mts';

export type Row = Array<string | number>;

const line = (cells: Row) => `| ${cells.join(' | ')} |`;

/** The day, and the n8n that is measured. */
function measured(): string {
	const n8n: unknown = createRequire(join(n8nFolder, 'package.json'))('n8n/package.json');
	return `${new Date().toISOString().slice(0, 10)}, n8n ${isJson(n8n) ? String(n8n.version) : '?'}.`;
}

const wrapped = (text: string) => text.replace(/(.{1,120})( |$)/g, '$1\n').trimEnd();

/** A heading, a note and a table. */
export function section(title: string, columns: string[], rows: Row[], note = ''): string {
	const table = [columns, columns.map(() => '---'), ...rows].map(line).join('\n');
	return [`### ${title}`, measured(), wrapped(note), table].filter((part) => part !== '').join('\n\n');
}

export const fixed = (value: number, digits = 1) => value.toFixed(digits);

/** The page with the section in place of its own of the same heading; as it is where it has none. */
export function replaceSection(page: string, section: string): string {
	const [heading] = section.split('\n', 1);
	const start = page.indexOf(`${heading}\n`);
	if (start === -1) return page;
	const behind = start + heading.length;
	const next = page.slice(behind).search(/^##/m);
	const end = next === -1 ? page.length : behind + next;
	return `${page.slice(0, start)}${section}\n\n${page.slice(end)}`.trimEnd() + '\n';
}
