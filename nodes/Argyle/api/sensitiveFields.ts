import type { GenericValue, IDataObject } from 'n8n-workflow';

import { isDataObject } from '../utils/json';

/**
 * What would hurt a person in the wrong hands, wherever in a record it is; also as the end of a longer name, such as
 * `employee_ssn`, because what a text recognition adds to documents has names of its own.
 */
const HIDDEN = [
	'ssn',
	'social_security_number',
	'birth_date',
	'date_of_birth',
	// Tax forms: mostly the social security number.
	'recipient_tin',
	'taxpayer_id',
	'claim_no',
];

/** Numbers of bank accounts and cards: the last four digits stay, by which people tell them apart. */
const LAST_FOUR = ['account_number', 'account_no', 'card_number', 'iban'];

/** Opens Argyle's Link as this person, without a password: it never comes out, only whether there was one. */
const TOKEN = 'user_token';
const HAS_TOKEN = 'has_user_token';

/** The number of the bank account again, behind its kind; only in paystubs' `destinations`. */
const REFERENCE = 'reference';

/** Repeats the value that a text recognition found, beside `field_name`, whose value it is. */
const WARNING = 'message';

const MASK = '•••';

/** A shorter number would be found by trying out what its last four digits leave. */
const SHORTEST_SHOWN = 8;

const endIn = (names: string[]) => new RegExp(`(^|[^a-z0-9])(${names.join('|')})$`);
const HIDDEN_NAME = endIn(HIDDEN);
const LAST_FOUR_NAME = endIn(LAST_FOUR);

/** Whatever it is in; only what is empty hides nothing. */
function maskWholly(value: GenericValue): GenericValue {
	return value === null || value === undefined || value === '' ? value : MASK;
}

function maskNumber(value: GenericValue): GenericValue {
	const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	const digits = text.replace(/\D/g, '');
	return text.length < SHORTEST_SHOWN ? maskWholly(value) : `${MASK}${digits.slice(-4)}`;
}

type Mask = (value: GenericValue) => GenericValue;

/** Undefined for a field that isn't sensitive. */
function maskFor(field: string): Mask | undefined {
	const name = field.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
	if (HIDDEN_NAME.test(name)) return maskWholly;
	return LAST_FOUR_NAME.test(name) || name === REFERENCE ? maskNumber : undefined;
}

export const isSensitive = (field: string) => maskFor(field) !== undefined;

/**
 * For the records of a list: puts a mask in place of each sensitive value, or only of the tokens. What is null stays
 * null. Each field's name is looked at once, because a long list has it thousands of times.
 */
export function createMask({ isForTokensOnly = false } = {}): (record: IDataObject) => IDataObject {
	const masks = new Map<string, Mask>();
	const maskOf = (field: string): Mask => {
		const mask = masks.get(field) ?? (isForTokensOnly ? undefined : maskFor(field)) ?? maskIn;
		masks.set(field, mask);
		return mask;
	};
	const maskIn = (value: GenericValue): GenericValue => {
		if (Array.isArray(value)) return value.map(maskIn);
		return isDataObject(value) ? maskRecord(value) : value;
	};
	const maskRecord = (record: IDataObject): IDataObject => {
		const { field_name: recognized } = record;
		const isWarning = !isForTokensOnly && typeof recognized === 'string' && isSensitive(recognized);
		return Object.fromEntries(
			Object.entries(record).map(([field, value]) =>
				field === TOKEN
					? [HAS_TOKEN, typeof value === 'string' && value !== '']
					: [field, isWarning && field === WARNING ? maskWholly(value) : maskOf(field)(value)],
			),
		);
	};
	return maskRecord;
}
