import { isPublishedElsewhere, triggerKey, triggerMemory } from '../../../../nodes/Argyle/trigger/state/triggerMemory';

const contextOf = (workflow: string, node: string) => ({
	getNode: () => ({ id: node }),
	getWorkflow: () => ({ id: workflow }),
	getWorkflowStaticData: () => ({}),
});

it('triggers of other workflows and nodes have a memory of their own', () => {
	const contexts = [contextOf('w1', 'n1'), contextOf('w1', 'n2'), contextOf('w2', 'n1')];
	expect(new Set(contexts.map(triggerKey)).size).toBe(3);
	expect(new Set(contexts.map(triggerMemory)).size).toBe(3);
	expect(triggerMemory(contextOf('w1', 'n1'))).toBe(triggerMemory(contextOf('w1', 'n1')));
});

it('isPublishedElsewhere asks for other triggers that are published with the URL', () => {
	const [one, other] = [contextOf('w4', 'n1'), contextOf('w5', 'n1')];
	triggerMemory(one).publishedUrl = 'u';
	expect([isPublishedElsewhere(one, 'u'), isPublishedElsewhere(other, 'u')]).toEqual([false, true]);
	expect(isPublishedElsewhere(other, 'v')).toBe(false);
});
