import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readExamples } from '../../support/n8n/example.mts';
import { root } from '../../support/paths.mts';

const list = readFileSync(join(root, 'examples', 'README.md'), 'utf8');

it.each(readExamples())('example $file is listed, and has no credentials and no pinned data', (example) => {
	const { file, name, nodes, pinData } = example;
	expect(list).toContain(`| [${file}](${file}) |`);
	expect(name).toMatch(/^Argyle: /);
	expect(pinData).toEqual({});
	expect(nodes.filter((node) => 'credentials' in node || 'webhookId' in node)).toEqual([]);
});

it.each(readExamples())('example $file has one note, of three to six sentences', ({ nodes }) => {
	const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
	expect(notes).toHaveLength(1);
	const sentences = JSON.stringify(notes).match(/\.(?=[ \\"])/g) ?? [];
	expect(sentences.length).toBeGreaterThanOrEqual(3);
	expect(sentences.length).toBeLessThanOrEqual(6);
});
