import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isDataObject } from '../utils/json';
import { isUuid } from '../utils/ids';

type CustomData = IExecuteFunctions['customData'];

/** n8n cuts off what is longer. */
const MAX_LENGTH = 512;

/** Returns n8n's execution data, which n8n up to 2.39 offers only to expressions. */
function customDataOf(context: IExecuteFunctions): CustomData | undefined {
	const { customData }: { customData?: CustomData } = context;
	return customData ?? context.getWorkflowDataProxy(0).$execution?.customData;
}

/** Adds a value to those that the label already has, if there is room for it. */
function addLabel(customData: CustomData, name: string, value: string): void {
	const key = `argyle_${name}`;
	const values = [customData.get(key), value].filter((part) => part !== undefined && part !== '');
	const label = [...new Set(values.join(' ').split(' '))].join(' ');
	if (label.length <= MAX_LENGTH) customData.set(key, label);
}

/**
 * Writes the ID of a user into n8n's execution data, by which people filter the list Executions. It writes nothing else
 * of the person. A label has room for thirteen IDs, so an execution for more users names the first thirteen.
 */
export function labelUser(context: IExecuteFunctions, user: string): void {
	const customData = customDataOf(context);
	if (customData !== undefined) addLabel(customData, 'user', user);
}

/** As `labelUser`, with the event's name and the IDs of its user, account and user form. */
export function labelEvent(context: IExecuteFunctions, { event, data }: IDataObject): void {
	const customData = customDataOf(context);
	if (customData === undefined || typeof event !== 'string' || !isDataObject(data)) return;
	addLabel(customData, 'event', event);
	for (const name of ['user', 'account', 'user_form']) {
		const id = data[name];
		if (isUuid(id)) addLabel(customData, name, id);
	}
}
