import { ArgyleTrigger } from '../../../nodes/Argyle/ArgyleTrigger.node';
import { isJson, type Json } from '../../support/json.mts';
import { readExamples } from '../../support/n8n/example.mts';
import { paragraphSizeIn } from '../../support/n8n/openedWorkflow.mts';

const NOTE = 'n8n-nodes-base.stickyNote';

const isNote = ({ type }: Json) => type === NOTE;

function contentOf(nodes: Json[], noteName: string): string {
	const parameters = nodes.find(({ type, name }) => type === NOTE && name === noteName)?.parameters;
	return isJson(parameters) ? String(parameters.content) : '';
}

function topAndBottomOf({ position, parameters }: Json): [top: number, bottom: number] {
	const [, y]: unknown[] = Array.isArray(position) ? position : [];
	const { height } = isJson(parameters) ? parameters : {};
	return [Number(y), Number(y) + Number(height)];
}

describe.each(readExamples())('the notes of $file', ({ nodes }) => {
	it('begin with a heading and three lines above the nodes', () => {
		const [heading, ...lines] = contentOf(nodes, 'Read Me').split('\n\n');
		expect(heading).toMatch(/^## [^\n]+$/);
		expect(lines).toHaveLength(3);
		expect(lines.filter((line) => line.length > 300 || line.includes('\n'))).toEqual([]);
		const [readMe] = nodes.filter(({ name }) => name === 'Read Me').map(topAndBottomOf);
		const highest = Math.min(...nodes.filter((node) => !isNote(node)).map((node) => topAndBottomOf(node)[0]));
		expect(readMe?.[1]).toBeLessThanOrEqual(highest);
	});

	it('say how to try it', () => {
		expect(contentOf(nodes, 'Read Me')).toMatch(
			/\*\*(To try it|To see the list|Execute \*Forms\* alone first|Publish it)/,
		);
	});

	it('are at most two', () => {
		const notes = nodes.filter(isNote).map(({ name }) => name);
		expect(['Read Me', 'Good to Know']).toEqual(expect.arrayContaining(notes));
		expect(contentOf(nodes, 'Good to Know').length).toBeLessThanOrEqual(540);
	});

	it('can be read when the example opens on a screen of 1440 by 900', () => {
		expect(paragraphSizeIn(nodes)).toBeGreaterThanOrEqual(12);
	});

	it('name nodes that there are', () => {
		const names = nodes.map(({ name }) => name);
		for (const note of ['Read Me', 'Good to Know']) {
			const chosen = [...contentOf(nodes, note).matchAll(/ in \*([A-Z][^*]+)\*/g)].map(([, name]) => name);
			expect(names).toEqual(expect.arrayContaining(chosen));
		}
	});

	it('count the nodes that take an Argyle credential', () => {
		const { length } = nodes.filter(({ type }) => String(type).startsWith('n8n-nodes-argyle.'));
		const [, counted] = /your Argyle credential in (?:the )?(\w+) nodes/.exec(contentOf(nodes, 'Read Me')) ?? [];
		const WORDS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
		expect([undefined, WORDS[length]]).toContain(counted);
	});

	it('call the ways in which an event arrives as the trigger does', () => {
		const { options = [] } = new ArgyleTrigger().description.properties.find(({ name }) => name === 'receiveBy') ?? {};
		const named = JSON.stringify(nodes).match(/Checking for [A-Z]\w+/g) ?? [];
		expect(options.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
	});
});
