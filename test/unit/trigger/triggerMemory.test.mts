import {
	isKnownForm,
	isPublishedElsewhere,
	rememberedSubscription,
	rememberRemoval,
	rememberSubscription,
	triggerKey,
	triggerMemory,
	wasJustRemoved,
} from '../../../nodes/Argyle/trigger/triggerMemory';

const contextOf = (workflow: string, node: string) => ({
	getNode: () => ({ id: node }),
	getWorkflow: () => ({ id: workflow }),
	getWorkflowStaticData: () => ({}),
});

const now = 1_700_000_000_000;

it('triggers of other workflows and nodes have a memory of their own', () => {
	const contexts = [contextOf('w1', 'n1'), contextOf('w1', 'n2'), contextOf('w2', 'n1')];
	expect(new Set(contexts.map(triggerKey)).size).toBe(3);
	expect(new Set(contexts.map(triggerMemory)).size).toBe(3);
	expect(triggerMemory(contextOf('w1', 'n1'))).toBe(triggerMemory(contextOf('w1', 'n1')));
});

it('a form is known once its execution was stored or has begun', () => {
	const memory = triggerMemory(contextOf('w3', 'n1'));
	memory.forms.set('stored', true);
	memory.startedForms.set('begun', true);
	expect(['stored', 'begun', 'other'].map((id) => isKnownForm(memory, id))).toEqual([true, true, false]);
});

it('isPublishedElsewhere asks for other triggers that are published with the URL', () => {
	const [one, other] = [contextOf('w4', 'n1'), contextOf('w5', 'n1')];
	triggerMemory(one).publishedUrl = 'u';
	expect([isPublishedElsewhere(one, 'u'), isPublishedElsewhere(other, 'u')]).toEqual([false, true]);
	expect(isPublishedElsewhere(other, 'v')).toBe(false);
});

it('a subscription is remembered by URL until it is removed, and its removal for five seconds', () => {
	expect([rememberedSubscription('u'), wasJustRemoved('u', now)]).toEqual([undefined, false]);
	rememberSubscription('u', 'id');
	expect([rememberedSubscription('u'), wasJustRemoved('u', now)]).toEqual(['id', false]);
	rememberRemoval('u', now);
	expect([rememberedSubscription('u'), wasJustRemoved('u', now + 4_999)]).toEqual([undefined, true]);
	expect(wasJustRemoved('u', now + 5_000)).toBe(false);
	// The clock was set back.
	expect(wasJustRemoved('u', now - 1)).toBe(false);
	rememberSubscription('u', undefined);
	expect([rememberedSubscription('u'), wasJustRemoved('u', now)]).toEqual([undefined, false]);
});
