/** What Sheets, Excel and LibreOffice show in place of a value, in several languages: #REF!, #¡VALOR!, #NV. */
const ERROR_VALUE = /^#(?:[¡¿]?\p{L}[\p{L}\d/_]*[!?]|N\/?[ADV]|GETTING_DATA|DATEN_ABRUFEN|#*)$/iu;

/** LibreOffice shows the numbers of its own errors, such as Err:502. */
const NUMBERED_ERROR = /^(?:err|error|erreur|fehler)\s?:\s?\d{3}$/i;

/** Sheets shows this while a formula still waits for its data. */
const LOADING = /^(?:loading|wird geladen|chargement|cargando|caricamento|carregando|laden)\s?(?:\.{3}|…)$/i;

const FORMULA = /^=/;

/** Whether a text is what a table shows where it has no value: an error, or the formula itself. */
export const isCellError = (text: string): boolean =>
	[ERROR_VALUE, NUMBERED_ERROR, LOADING, FORMULA].some((pattern) => pattern.test(text));

/**
 * What people and programs write where a value is missing, in English, German, French and Spanish. A formula that looks
 * up an empty cell gives 0.
 */
const WORDS_FOR_NOTHING = new Set([
	...['null', 'nil', 'none', 'nan', 'undefined', '\\n', '[object object]', 'invalid date', 'infinity', '-infinity'],
	...['0', '0.0', 'true', 'false', 'wahr', 'falsch', 'vrai', 'faux', 'verdadero', 'falso'],
	...['n/a', 'n.a.', 'na', 'n/d', 'n.d.', 'nd', 's/d', 'n/v', 'k.a.', 'k. a.', 'tbd', 'tba', 'tbc', 'todo'],
	...['unknown', 'missing', 'empty', 'blank', 'not available', 'not applicable', 'no data', 'pending', 'no id'],
	...['unbekannt', 'fehlt', 'leer', 'keine', 'keine angabe', 'nicht verfügbar', 'ausstehend'],
	...[
		'inconnu',
		'inconnue',
		'manquant',
		'vide',
		'aucun',
		'aucune',
		'non renseigné',
		'non applicable',
		'non disponible',
	],
	...['desconocido', 'desconocida', 'vacío', 'vacio', 'en blanco', 'ninguno', 'ninguna', 'sin datos', 'sin dato'],
	...['no aplica', 'no disponible'],
]);

const HAS_LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Whether a text stands for a value that is missing, such as "-", "n/a" or "(null)". Several people may have it. */
export function isPlaceholder(text: string): boolean {
	const word = text.toLowerCase().normalize('NFC');
	const isBracketed = /^[(<[{]/.test(word) && /[)>\]}]$/.test(word);
	const words = isBracketed ? [word, word.slice(1, -1).trim()] : [word];
	return !HAS_LETTER_OR_DIGIT.test(text) || words.some((each) => WORDS_FOR_NOTHING.has(each));
}

/** Whether a program has put the word for a missing value between other parts, as in "acme-undefined". */
export const hasMissingPart = (text: string): boolean =>
	/(?<![\p{L}\p{N}])(?:undefined|null|NaN|\[object Object\])(?![\p{L}\p{N}])/u.test(text);

/**
 * Whether a text is a number of which digits are lost: a table writes a long number as 1.23457E+17, and others write
 * a whole number with a decimal, 4711.0. An ID such as 12E45 has no sign.
 */
export const hasLostDigits = (text: string): boolean => /^[+-]?\d+(?:[.,]\d+)?E[+-]\d+$|^-?\d+\.0$/i.test(text);

/** These are drawn as nothing, but are letters or symbols in Unicode. */
const FILLERS = /[\u115f\u1160\u2800\u3164\uffa0]/g;

/** Returns the text without characters that nobody can see, in the one form (NFC) that looks like it. */
export const visibleText = (text: string): string =>
	text
		.replace(/\p{Cf}/gu, '')
		.replace(FILLERS, '')
		.normalize('NFC');
