import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { ArgyleError } from '../../../nodes/Argyle/transport/errors';
import { toNodeError } from '../../../nodes/Argyle/shared/nodeError';
import { readUuid } from '../../../nodes/Argyle/shared/parameters';

const node: INode = { id: '1', name: 'Argyle', type: 'argyle', typeVersion: 1, position: [0, 0], parameters: {} };

describe('toNodeError', () => {
	it('makes a NodeApiError of an answer, a NodeOperationError of the rest, and names the item', () => {
		const answered = toNodeError(node, new ArgyleError('what', 'why', { statusCode: 404 }), 2);
		expect(answered).toBeInstanceOf(NodeApiError);
		expect(answered).toMatchObject({
			message: 'what [item 2]',
			description: 'why',
			httpCode: '404',
			context: { itemIndex: 2 },
		});
		const refused = toNodeError(node, new ArgyleError('what', 'why'), 0);
		expect(refused).toBeInstanceOf(NodeOperationError);
		expect(refused).toMatchObject({ message: 'what [item 0]', description: 'why', context: { itemIndex: 0 } });
		expect(toNodeError(node, new ArgyleError('what', 'why')).message).toBe('what');
	});

	it("leaves n8n's own errors as they are", () => {
		const own = new NodeOperationError(node, 'own');
		const api = new NodeApiError(node, {}, { message: 'api', httpCode: '500' });
		expect(toNodeError(node, own, 1)).toBe(own);
		expect(toNodeError(node, api, 1)).toBe(api);
	});

	it('shows what is unexpected', () => {
		expect(toNodeError(node, new TypeError('x is undefined'), 1)).toMatchObject({
			message: 'x is undefined',
			context: { itemIndex: 1 },
		});
		expect(toNodeError(node, 'thrown text').message).toBe('thrown text');
	});
});

describe('readUuid', () => {
	const id = '0187c66e-e7e5-811c-b006-2232f00f426a';

	it('gives the id without blanks around it', () => expect(readUuid(` ${id} `, 'User')).toBe(id));

	it.each([
		['', 'User is missing'],
		['  ', 'User is missing'],
		[undefined, 'User is missing'],
		[null, 'User is missing'],
		[7, 'User is not a valid ID'],
		['bob', 'User is not a valid ID'],
	])('refuses %p', (value, message) => expect(() => readUuid(value, 'User')).toThrow(message));
});
