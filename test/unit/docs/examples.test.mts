import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readExamples } from '../../support/n8n/example.mts';
import { root } from '../../support/paths.mts';

const list = readFileSync(join(root, 'examples', 'README.md'), 'utf8');

it.each(readExamples())('example $file is listed, and has no credentials', ({ file, name, nodes }) => {
	expect(list).toContain(`| [${file}](${file}) |`);
	expect(name).toMatch(/^Argyle: /);
	expect(nodes.filter((node) => 'credentials' in node || 'webhookId' in node)).toEqual([]);
});

it.each(readExamples())(
	'example $file has a sample for its Argyle Trigger, and samples say that they are',
	(example) => {
		const { nodes, pinData } = example;
		const triggers = nodes.filter(({ type }) => type === 'n8n-nodes-argyle.argyleTrigger');
		expect(Object.keys(pinData)).toEqual(expect.arrayContaining(triggers.map(({ name }) => name)));
		for (const sample of Object.values(pinData).map((items) => JSON.stringify(items))) {
			expect(sample).toMatch(/SAMPLE – not|Sample Bakery/);
			const ids = sample.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? [];
			expect(ids.filter((id) => !id.startsWith('00000000-0000-4000-8000-'))).toEqual([]);
		}
	},
);

it.each(readExamples())('example $file has one note, of three to six sentences', ({ nodes }) => {
	const notes = nodes.filter(({ type }) => type === 'n8n-nodes-base.stickyNote');
	expect(notes).toHaveLength(1);
	const sentences = JSON.stringify(notes).match(/\.(?=[ \\"])/g) ?? [];
	expect(sentences.length).toBeGreaterThanOrEqual(3);
	expect(sentences.length).toBeLessThanOrEqual(6);
});
