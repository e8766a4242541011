import { listOf } from '../api/records';
import { employersLike, isGroup, ITEMS, withoutGroups } from '../api/employers';
import { isItemId } from '../utils/ids';
import { joined } from './label';
import { finderById, listSearch } from './listSearch';

export const searchEmployers = listSearch(() => ({
	list: listOf(ITEMS),
	isId: isItemId,
	// Several entries may have the same name. The label adds what tells them apart: another kind than employer, and a
	// payroll system that is unknown or doesn't work.
	label: ({ name, kind, mapping_status: mapping, status }) =>
		joined([
			name,
			kind === 'employer' ? '' : kind,
			mapping === 'unmapped' ? 'payroll system not known' : '',
			status === 'healthy' ? '' : status,
		]),
	matching: employersLike,
	filterMatches: withoutGroups,
	find: finderById(ITEMS, isItemId),
	isEntry: (item) => isItemId(item.id) && !isGroup(item),
	notAllSearched: 'Not all employers were searched. If yours is missing, choose By ID and enter its ID.',
}));
