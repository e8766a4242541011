import { NO_CHOICE } from '../../../nodes/Argyle/shared/idToFind';
import { readItemIds } from '../../../nodes/Argyle/shared/employerIds';

const chosen = (value: unknown, mode = 'list') => ({ __rl: true, mode, value, cachedResultName: 'Whole Goods' });

const BOTH = ['item_000001422', 'item_000041078'];

it.each<[string, unknown, string[]]>([
	['choices from the list', [chosen('item_000001422'), chosen('item_000041078', 'id')], BOTH],
	['a typed list', ['item_000001422', ' item_000041078 '], BOTH],
	['a choice and a typed ID', [chosen('item_000001422'), 'item_000041078'], BOTH],
	['one text with commas', 'item_000001422, item_000041078', BOTH],
	['a list that a language model wrote as text', '["item_000001422", "item_000041078"]', BOTH],
	['a list that an expression gives in a field By ID', [chosen(BOTH, 'id')], BOTH],
	['one choice, not in a list', chosen('item_000001422'), ['item_000001422']],
	['the same twice', ['item_000001422', chosen('item_000001422')], ['item_000001422']],
	['an entry that was left empty', [null, chosen(''), '', 'item_000001422'], ['item_000001422']],
	['nothing', undefined, []],
	['an empty list', [], []],
])('readItemIds reads %s', (_, value, ids) => {
	expect(readItemIds(value, 'Items')).toEqual(ids);
});

it('readItemIds refuses the entry that says what the list lacks', () => {
	expect(() => readItemIds([chosen('item_000001422'), chosen(NO_CHOICE)], 'Employers')).toThrow(
		'Employers has an entry that is no choice',
	);
});

it.each([
	['the record of an employer', [{ id: 'item_000001422', name: 'Whole Goods' }]],
	['such a record in a field By ID', [chosen({ id: 'item_000001422', name: 'Whole Goods' }, 'id')]],
	['a boolean', true],
])('readItemIds refuses %s, because without it all employers would be meant', (_, value) => {
	expect(() => readItemIds(value, 'Employers')).toThrow('Employers has an entry that is not the ID of an Item');
});

it.each(['Whole Goods', 'item_12x', '8ABCD1EF'])('readItemIds refuses %s, which is no ID', (text) => {
	expect(() => readItemIds([chosen('item_000001422'), chosen(text, 'id')], 'Employers')).toThrow(
		`Employers has an entry that is not the ID of an Item: ${text}`,
	);
});
