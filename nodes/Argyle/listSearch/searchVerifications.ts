import { listOf, VERIFICATIONS } from '../api/records';
import { isDataObject } from '../utils/json';
import { isId } from '../utils/ids';
import { creation, joined } from './label';
import { finderById, listSearch, seemsId } from './listSearch';

const valueIn = (record: unknown, field: string) => (isDataObject(record) ? record[field] : undefined);

export const searchVerifications = listSearch((context) => ({
	list: listOf(VERIFICATIONS),
	label: (verification) =>
		joined([
			valueIn(verification.report, 'type'),
			valueIn(verification.status, 'state'),
			valueIn(verification.loan, 'number'),
			creation(context, verification),
		]),
	find: finderById(VERIFICATIONS, seemsId),
	isEntry: ({ id }) => isId(id),
	notAllSearched: 'Not all verifications were searched. If yours is missing, choose By ID and enter its ID.',
}));
