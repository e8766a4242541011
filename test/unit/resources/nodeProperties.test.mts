import type { INodeProperties } from 'n8n-workflow';
import { Argyle } from '../../../nodes/Argyle/Argyle.node';
import { ArgyleTrigger } from '../../../nodes/Argyle/ArgyleTrigger.node';
import { resources } from '../../../nodes/Argyle/resources/index';

const { properties } = new Argyle().description;

/** The conditions under which a field is shown, apart from the resource and the operation. */
function withoutPlace(field: INodeProperties): INodeProperties {
	const { resource, operation, ...show } = field.displayOptions?.show ?? {};
	return { ...field, displayOptions: { ...field.displayOptions, show } };
}

const OPERATIONS = resources.flatMap((resource) => resource.operations.map((operation) => ({ resource, operation })));

it.each(OPERATIONS)(
	'$resource.name: $operation.name shows its own fields, in its own order',
	({ resource, operation }) => {
		const shown = properties.filter(
			({ displayOptions: { show = {} } = {} }) =>
				show.resource?.includes(resource.value) && show.operation?.includes(operation.value),
		);
		expect(shown.map(withoutPlace)).toEqual(operation.fields.map(withoutPlace));
	},
);

it.each([new Argyle(), new ArgyleTrigger()])(
	'n8n loads at most 130,000 characters of $description.displayName',
	({ description }) => {
		expect(JSON.stringify(description).length).toBeLessThanOrEqual(130_000);
	},
);
