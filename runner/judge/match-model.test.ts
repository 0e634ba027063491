import { expect, test } from 'vitest';
import { loadFixtures } from '../catalog/fixtures.ts';
import { namesModel, namesPlace } from './match-model.ts';

const { typeWords } = loadFixtures();

test.each([
  ["'messages' is a required property", 'messages'],
  ['field MESSAGES missing', 'messages'],
  ['messages.0.role: Field required', 'messages[0].role'],
  ['role is not allowed here', 'messages[2].role'],
  ['invalid entry in messages', 'messages[0].content'],
  ['Invalid message at index 0', 'messages[0]'],
  ['Message #1: bad value', 'messages[0].role'],
  ['message[2] is malformed', 'messages[2].content'],
  ['message 3 is malformed', 'messages[].role'],
  ['maxTokens must be positive', 'max_tokens'],
  ['max-tokens must be positive', 'max_tokens'],
  ['the max tokens are missing', 'max_tokens'],
  ['参数 messages 缺失', 'messages'],
  ['expected a string', 'model'],
  ['Input should be a valid list', 'messages'],
  ['json: cannot unmarshal number into Go value', 'model'],
  ['java.util.ArrayList expected', 'messages'],
  ["'NoneType' has no attribute", 'model'],
  ['invalid type: map, expected a sequence', 'messages'],
  ['expected strings', 'messages'],
  ['必须是数组', 'messages'],
  ['должно быть массивом', 'messages'],
  ['debe ser una lista', 'messages'],
  ['not a JSONObject', 'model'],
  ['{"detail":"1 validation error for Request\\nrole\\n  Field required"}', 'messages[0].role'],
  ['"errors:\\trole\\tinvalid"', 'messages[0].role'],
  ['invalid value for \\u003crole\\u003e', 'messages[0].role'],
  ['\u001b[1m\u001b[31mrole\u001b[39m\u001b[22m is missing', 'messages[0].role'],
  ['App\\role is missing', 'messages[0].role'],
  ['items must be dictionaries', 'messages'],
  ['table expected, got table', 'messages'],
  ['Eine Zeichenfolge wird erwartet', 'model'],
  ['リストが必要です', 'messages'],
  ['يجب أن تكون مصفوفة', 'messages'],
  ['top2 must be positive', 'top2'],
  ['2nd must be positive', '2nd'],
])('%j names %s or a type', (message, place) => {
  expect(namesPlace(message, place, typeWords)).toBe(true);
});
test.each([
  ['Something went wrong', 'messages'],
  ['Bad Request', 'messages[0].role'],
  ['Invalid request, see 0 in the documentation', 'messages[0]'],
  ['Invalid message', 'messages[0]'],
  ['Message 400', 'messages'],
  ['See the submessage 3', 'messages[0]'],
  ['', 'model'],
  ['Unlisted interpretation', 'messages'],
  ['ungültige Zahlung', 'messages'],
  ['Invalid request, see 10 in the documentation', 'messages[10]'],
  ['The request was remodelled', 'model'],
  ['Bad Request', 'max_tokens'],
])('%j names neither %s nor a type', (message, place) => {
  expect(namesPlace(message, place, typeWords)).toBe(false);
});

test.each([
  ['不能为null值', '为null', true],
  ['不能null为值', 'null为', true],
  ['Zahlung', 'zahl', false],
  ['keine Zahl', 'zahl', true],
])('%j contains the translated type %j: %s', (message, word, expected) => {
  expect(namesPlace(message, 'model', { english: new Set(), translated: [word] })).toBe(expected);
});

test.each([
  ['The model does not exist', 'm-1', true],
  ['M-1 does not exist', 'm-1', true],
  ['does not exist', 'm-1', false],
  ['does not exist', undefined, false],
  ['does not exist', '', false],
])('%j names the model %j: %j', (message, id, expected) => {
  expect(namesModel(message, id)).toBe(expected);
});
