import { valuesIn } from '../../../nodes/Argyle/utils/expressionParts';

it.each([
	['={{ $json.id }}', ['$json.id']],
	['={{ $json.tenant }}-{{ $json.id }}', ['$json.tenant', '$json.id']],
	["={{ $json.tenant + '-' + $json.id }}", ['$json.tenant', '$json.id']],
	['={{ `${$json.tenant}-${$json.id}` }}', ['$json.tenant', '$json.id']],
	['={{ $json[\'a + b\'] + "+" + ($json.c + $json.d) }}', ["$json['a + b']", '($json.c + $json.d)']],
	["={{ 'it\\'s + ' + $json.id ?? '' }}", ["$json.id ?? ''"]],
	["={{ $json.a ? 'a-' + $json.a : 'b-' + $json.b }}", ["$json.a ? 'a-' + $json.a : 'b-' + $json.b"]],
	['={{ $json.a || $json.b + $json.c }}', ['$json.a || $json.b + $json.c']],
	['={{ $json.a?.b + $json.c }}', ['$json.a?.b', '$json.c']],
	['=text without a value', []],
	["={{ 'text' }}", []],
])('%s is composed of %j', (expression, values) => expect(valuesIn(expression)).toEqual(values));
