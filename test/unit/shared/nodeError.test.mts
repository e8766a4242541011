import { type INode, NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';
import { ArgyleError } from '../../../nodes/Argyle/transport/errors';
import { toNodeError } from '../../../nodes/Argyle/shared/nodeError';

const node: INode = { id: '1', name: 'Argyle', type: 'argyle', typeVersion: 1, position: [0, 0], parameters: {} };

describe('toNodeError', () => {
	it('turns an ArgyleError with a status into a NodeApiError, one without into a NodeOperationError', () => {
		const apiError = toNodeError(node, new ArgyleError('what', 'why', { statusCode: 404 }), 2);
		expect(apiError).toBeInstanceOf(NodeApiError);
		expect(apiError).toMatchObject({
			message: 'what [item 2]',
			description: 'why',
			httpCode: '404',
			context: { itemIndex: 2 },
		});
		const operationError = toNodeError(node, new ArgyleError('what', 'why'), 0);
		expect(operationError).toBeInstanceOf(NodeOperationError);
		expect(operationError).toMatchObject({ message: 'what [item 0]', description: 'why', context: { itemIndex: 0 } });
		expect(toNodeError(node, new ArgyleError('what', 'why')).message).toBe('what');
	});

	it.each([undefined, 404])("puts the advice into the message of an agent's tool, with status %p", (statusCode) => {
		const tool = { ...node, type: 'n8n-nodes-argyle.argyleTool' };
		expect(toNodeError(tool, new ArgyleError('what', 'why.', { statusCode }), 0).message).toBe('what. why.');
	});

	it.each([undefined, 404])('leaves no markup in the words of others, with status %p', (statusCode) => {
		const words = 'Pay <= 5 of "<img src=//x.example/a>" </a><!-- name <a@b.example>';
		const { message, description } = toNodeError(
			node,
			new ArgyleError(`One: ${words}`, `Two: ${words}`, { statusCode }),
		);
		// n8n's editor shows links and pictures that are in a description.
		for (const shown of [message, description]) {
			expect(shown).not.toMatch(/<[a-z/!?]/i);
			expect(shown).toContain('Pay <= 5');
			expect(shown).toContain('img src=//x.example/a');
		}
	});

	it("returns n8n's own errors unchanged", () => {
		const own = new NodeOperationError(node, 'own');
		const api = new NodeApiError(node, {}, { message: 'api', httpCode: '500' });
		expect(toNodeError(node, own, 1)).toBe(own);
		expect(toNodeError(node, api, 1)).toBe(api);
	});

	it("passes n8n's UserError on as the cause, by which n8n sees that repeating doesn't help", () => {
		const userError = new UserError('gone');
		const error = toNodeError(node, new ArgyleError('what', 'why', { userError }));
		expect(error).toMatchObject({ message: 'what', description: 'why' });
		expect(error.cause).toBe(userError);
	});

	it('leaves out the parameters of the node, among which may be a secret', () => {
		const parameters = { secret: 'mine' };
		for (const thrown of [new ArgyleError('', '', { statusCode: 404 }), new ArgyleError('', ''), new UserError('')])
			expect(toNodeError({ ...node, parameters }, thrown).node).toEqual(node);
	});

	it('turns an unexpected error into a NodeOperationError with its message', () => {
		expect(toNodeError(node, new TypeError('x is undefined'), 1)).toMatchObject({
			message: 'x is undefined',
			context: { itemIndex: 1 },
		});
		expect(toNodeError(node, 'thrown text').message).toBe('thrown text');
	});
});
