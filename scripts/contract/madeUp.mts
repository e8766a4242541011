import { isJson } from '../../test/support/json.mts';

/** Fields whose values are words of Argyle's own, and tell nothing of a person. */
const OWN_WORDS = new Set(
	(
		'status code channel type kind source data_source mapping_status document_type allocation_type ' +
		'destination_type account_type employment_status origin period currency distance_unit method event'
	).split(' '),
);

/** Holds whatever the account's owner has put there, names of fields included. */
const OF_THE_OWNER = new Set(['external_metadata', 'metadata', 'context']);

/** The one name that is made up, whoever's it was. */
const TEXT = 'made up';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const WORD = /^[A-Za-z][A-Za-z0-9_.-]{0,39}$/;

/** Replaces all values, so that nothing of a person is left, and keeps their form, such as the length of fractions. */
export class MadeUp {
	private readonly ids = new Map<string, string>();

	/** The same for the same ID, so that references between records stay. */
	private idFor(id: string): string {
		const known = this.ids.get(id) ?? `00000000-0000-4000-8000-${String(this.ids.size + 1).padStart(12, '0')}`;
		this.ids.set(id, known);
		return known;
	}

	private address(text: string): string {
		const hasScheme = /^https?:\/\//.test(text);
		const complete = hasScheme ? text : `https://${text}`;
		const { protocol, hostname, pathname } = new URL(complete);
		const isArgyle = hostname.endsWith('argyle.com') || hostname === '127.0.0.1';
		const path = isArgyle ? pathname.replace(UUID, (id) => this.idFor(id)) : '/made-up';
		const host = isArgyle ? hostname.replace('127.0.0.1', 'api.argyle.com') : 'example.com';
		return `${hasScheme ? `${protocol === 'http:' ? 'https:' : protocol}//` : ''}${host}${path}`;
	}

	private text(text: string, field: string): string {
		if (text === '') return '';
		if (OWN_WORDS.has(field) && WORD.test(text)) return text;
		if (text.replace(UUID, '') === '') return this.idFor(text);
		if (/^item_\d+$/.test(text)) return 'item_000000001';
		if (TIME.test(text)) return `2026-01-02T03:04:05${text.slice(19).replace(/\d(?=.*Z)/g, '6')}`;
		if (DAY.test(text)) return '2026-01-02';
		if (field.endsWith('url') || field === 'link') return this.address(text);
		if (/^-?\d+\.\d+$/.test(text)) return `1.${'0'.repeat(text.split('.')[1]?.length ?? 1)}`;
		if (/^[^@\s]+@[^@\s]+$/.test(text)) return 'made.up@example.com';
		return /^[\d\s()+-]+$/.test(text) ? text.replace(/\d/g, '0') : TEXT;
	}

	/** `field` is the name of the field that holds the value. */
	of(value: unknown, field = ''): unknown {
		if (typeof value === 'string') return this.text(value, field);
		if (typeof value === 'number') return Number.isInteger(value) ? 1 : 1.5;
		if (Array.isArray(value)) return value.slice(0, 3).map((each) => this.of(each, field));
		if (!isJson(value)) return value;
		if (OF_THE_OWNER.has(field)) return {};
		return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.of(each, name)]));
	}
}
