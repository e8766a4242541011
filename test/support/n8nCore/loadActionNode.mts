import type { Argyle } from '../../../nodes/Argyle/Argyle.node';

/** The node with modules of its own, as another process of n8n has it, which shares no state with this one. */
export function loadActionNode(): Argyle {
	let node: Argyle | undefined;
	const n8nWorkflow = jest.requireActual('n8n-workflow');
	jest.isolateModules(() => {
		jest.doMock('n8n-workflow', () => n8nWorkflow);
		const module: typeof import('../../../nodes/Argyle/Argyle.node') = jest.requireActual(
			'../../../nodes/Argyle/Argyle.node',
		);
		node = new module.Argyle();
	});
	if (node === undefined) throw new Error('the node was not loaded');
	return node;
}
