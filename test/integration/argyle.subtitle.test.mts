import { resources } from '../../nodes/Argyle/resources';
import { actionNode, createWorkflow } from '../support/n8nCore/n8nContext.mts';

const OPERATIONS = resources.flatMap((resource) =>
	resource.operations.map((operation) => ({
		shown: `${resource.name}: ${operation.name}`,
		parameters: { resource: resource.value, operation: operation.value },
	})),
);

it.each(OPERATIONS)('the canvas shows "$shown" below the node, in the words of its panel', ({ shown, parameters }) => {
	const { workflow, node } = createWorkflow(actionNode, { parameters });
	const { subtitle } = actionNode.description;
	expect(workflow.expression.getSimpleParameterValue(node, subtitle, 'internal', {})).toBe(shown);
});
