const QUOTED = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`/gs;
const INNERMOST_BRACKETS = /[([{][^()[\]{}]*[)\]}]/g;

/** The code with "_" in place of all that stands in quotes or brackets. */
function outline(code: string): string {
	const hidden = (text: string) => '_'.repeat(text.length);
	let text = code.replace(QUOTED, hidden);
	for (let before = ''; before !== text; ) {
		before = text;
		text = text.replace(INNERMOST_BRACKETS, hidden);
	}
	return text;
}

/** Matches what makes the value of an operand replaceable by that of another one: `a || b`, `a && b`, `a ? b : c`. */
const CHOICE = /\|\||&&|(?<!\?)\?(?![.?])/;

/** Splits code at each `+` that stands outside of quotes and brackets. */
function operandsOf(code: string): string[] {
	const text = outline(code);
	if (CHOICE.test(text)) return [code.trim()];
	const lengths = text.split('+').map(({ length }) => length);
	let end = -1;
	return lengths.map((length) => code.slice(end + 1, (end += length + 1)).trim());
}

const isText = (operand: string) => /^(['"`])(?:\\.|(?!\1|\$\{)[^\\])*\1$/s.test(operand);

/** The values in a template text such as `${a}-${b}`. Any other operand is a value itself. */
const valuesOf = (operand: string): string[] =>
	/^`.*`$/s.test(operand) ? [...operand.matchAll(/\$\{([^{}]*)\}/g)].map(([, code]) => code) : [operand];

/**
 * Returns the code of each value of which an expression of n8n composes its text.
 *
 * @example valuesIn('={{ $json.tenant }}-{{ "crm" + $json.id }}') // ['$json.tenant', '$json.id']
 */
export function valuesIn(expression: string): string[] {
	const codes = expression.split('{{').slice(1);
	return codes
		.filter((code) => code.includes('}}'))
		.flatMap((code) => operandsOf(code.slice(0, code.indexOf('}}'))))
		.filter((operand) => operand !== '' && !isText(operand))
		.flatMap(valuesOf);
}
