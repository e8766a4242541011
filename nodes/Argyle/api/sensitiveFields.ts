import type { GenericValue, IDataObject } from 'n8n-workflow';

import { isDataObject } from '../utils/json';

/**
 * The names of fields whose values could hurt a person in the wrong hands. A field may stand anywhere in a record.
 * Longer names that end in one of them count too, such as `employee_ssn`, because text recognition adds fields with
 * names of its own.
 */
const HIDDEN = [
	'ssns?(_full|_last_?4)?',
	'ssn?_n(umbers?|o)',
	'social_security(_n(umbers?|o))?',
	'sin',
	'national_id',
	'passport(_n(umbers?|o))?',
	'(licen[cs]e|dl)_n(umbers?|o)',
	'drivers?_licen[cs]e',
	// A field of payroll documents. The kind of such a document is only guessed, so this may be the number of a driver's
	// license.
	'document_numbers?',
	'birth_?da(te|y)',
	'date_of_birth',
	'dob',
	// Tax forms: mostly the social security number. A payer's number is not secret.
	'recipient_tin',
	'employee_tin',
	'itin',
	'tax_?payer_id',
	'tax_id',
	'claim_no',
];

/** These count only as the whole name. A longer name that ends in them may be the number of anybody. */
const HIDDEN_ALONE = /^tin(_\d+[a-z]?)?$/;

/** Numbers of bank accounts and cards: the last four digits stay, by which people tell them apart. */
const LAST_FOUR = ['account_numbers?', 'account_no', 'card_numbers?', 'iban'];

/** The name of a card, or of a list of cards, whose `number` is secret. Other fields called `number` are not. */
const CARD = /(^|_)cards?$/;

/**
 * Whoever has this token can open Argyle's Link as this person, without a password. It never comes out.
 * `has_user_token` says whether there was one.
 */
const TOKEN = 'user_token';
const HAS_TOKEN = 'has_user_token';

/** In `destinations` of paystubs, this field repeats the kind and the number of the bank account. */
const REFERENCE = 'reference';

/** Some objects name a field in one property, such as `field_name: 'employee_ssn'`, and have its value in another. */
const NAMES = ['field_name', 'name', 'key', 'field', 'label', 'title', 'type', 'id'];
const VALUES = ['message', 'value', 'values', 'raw_value', 'text', 'content'];

/** Stands for a value that is hidden. */
export const MASK = '•••';

/** If a number were shorter than this, its last four digits would leave too few possibilities for the rest. */
const SHORTEST_SHOWN = 8;

/** Boxes of forms are numbered: `ssn_1`, `ssn_1a`. */
const endIn = (names: string[]) => new RegExp(`(^|_)(${names.join('|')})(_\\d+[a-z]?)?$`);
const HIDDEN_NAME = endIn(HIDDEN);
const LAST_FOUR_NAME = endIn(LAST_FOUR);

/** Masks a value of any type, except an empty one, which has nothing to hide. */
function maskWholly(value: GenericValue): GenericValue {
	return value === null || value === undefined || value === '' ? value : MASK;
}

function maskNumber(value: GenericValue): GenericValue {
	if (Array.isArray(value)) return value.map(maskNumber);
	const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
	const digits = text.replace(/\D/g, '');
	return text.length < SHORTEST_SHOWN ? maskWholly(value) : `${MASK}${digits.slice(-4)}`;
}

type Mask = (value: GenericValue) => GenericValue;

/**
 * Writes a name as Argyle does: `employee_ssn` for "Employee's SSN:" or `employeeSsn`, and `ssn_last4` for `SSNLast4`.
 * The plural `SSNs` is one word.
 */
function nameOf(field: string): string {
	const words = field.replace(/['’]/g, '').replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})/g, ' ');
	const parts = words.toLowerCase().split(/[^a-z0-9]+/);
	return parts.filter((part) => part !== '').join('_');
}

/** The mask for a field of this name, undefined for one that isn't sensitive. */
function maskFor(field: string): Mask | undefined {
	const name = nameOf(field);
	if (HIDDEN_ALONE.test(name) || HIDDEN_NAME.test(name)) return maskWholly;
	return LAST_FOUR_NAME.test(name) || name === REFERENCE ? maskNumber : undefined;
}

export const isSensitive = (field: string) => maskFor(field) !== undefined;

const isSensitivePair = (record: IDataObject) =>
	VALUES.some((field) => field in record) && NAMES.some((field) => isSensitive(String(record[field])));

/**
 * Returns a function for the records of a list. It masks each sensitive value, unless `isForTokensOnly`. It always
 * takes out tokens. What is null stays null. Each field's name is looked at once, because a long list has it thousands
 * of times. `onMask` is called for each value that gets a mask.
 */
export function createMask({ isForTokensOnly = false, onMask = () => {} } = {}): (record: IDataObject) => IDataObject {
	const masks = new Map<string, Mask>();
	const noticed =
		(mask: Mask): Mask =>
		(value) => {
			const masked = mask(value);
			if (masked !== value) onMask();
			return masked;
		};
	const maskNamed = noticed(maskWholly);
	const maskCardNumber = noticed(maskNumber);
	const newMaskOf = (field: string): Mask => {
		if (isForTokensOnly) return maskIn;
		const own = maskFor(field);
		if (own !== undefined) return noticed(own);
		return CARD.test(nameOf(field)) ? maskCard : maskIn;
	};
	const maskOf = (field: string): Mask => {
		const mask = masks.get(field) ?? newMaskOf(field);
		masks.set(field, mask);
		return mask;
	};
	const maskCard = (value: GenericValue): GenericValue => {
		if (Array.isArray(value)) return value.map(maskCard);
		if (!isDataObject(value)) return value;
		const { number } = value;
		return { ...maskRecord(value), ...(number === undefined ? {} : { number: maskCardNumber(number) }) };
	};
	const maskIn = (value: GenericValue): GenericValue => {
		if (Array.isArray(value)) return value.map(maskIn);
		return isDataObject(value) ? maskRecord(value) : value;
	};
	const maskRecord = (record: IDataObject): IDataObject => {
		const isPair = !isForTokensOnly && isSensitivePair(record);
		return Object.fromEntries(
			Object.entries(record).map(([field, value]) =>
				field === TOKEN
					? [HAS_TOKEN, typeof value === 'string' && value !== '']
					: [field, isPair && VALUES.includes(field) ? maskNamed(value) : maskOf(field)(value)],
			),
		);
	};
	return maskRecord;
}
