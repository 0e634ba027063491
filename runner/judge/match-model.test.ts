import { expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { readContent } from '../exchange/decode.ts';
import { describeWrongMember, isPagedList, listNames, namesModel } from './match-model.ts';

const catalog = await catalogOfPackage();
const { typeWords } = catalog.fixtures;
const good = { model: 'm', messages: [{ role: 'user', content: 'a' }] };

function names(message: string, place: string, body: unknown = good): boolean {
  const exchange = {
    attributes: { operation: 'chat' },
    request: { body: typeof body === 'string' ? body : JSON.stringify(body) },
  };
  return listNames(message, describeWrongMember(place, exchange, catalog), typeWords).length > 0;
}

test.each([
  ["'messages' is a required property", 'messages'],
  ['field MESSAGES missing', 'messages'],
  ['A message must not be empty.', 'messages'],
  ['The models are missing', 'model'],
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
  ['maxToken must be positive', 'max_tokens'],
  ['参数 messages 缺失', 'messages'],
  ['expected a string', 'model'],
  ['Input should be a valid list', 'messages'],
  ['Input should be a valid list', 'messages[0].content'],
  ['java.util.ArrayList expected', 'messages'],
  ['invalid type: map, expected a sequence', 'messages'],
  ['expected arrays', 'messages'],
  ['debe ser una lista', 'messages'],
  ['{"detail":"1 validation error for Request\\nrole\\n  Field required"}', 'messages[0].role'],
  ['"errors:\\trole\\tinvalid"', 'messages[0].role'],
  ['invalid value for \\u003crole\\u003e', 'messages[0].role'],
  ['\u001b[1m\u001b[31mrole\u001b[39m\u001b[22m is missing', 'messages[0].role'],
  ['App\\role is missing', 'messages[0].role'],
  ['items must be dictionaries', 'messages[0]'],
  ['table expected, got table', 'messages'],
  ['Eine Zeichenfolge wird erwartet', 'model'],
  ['Une chaîne est attendue', 'model'],
  ['Le rôle est requis', 'messages[0].role'],
  ['Le champ messages est requis à cet endroit', 'messages'],
  ['top2 must be positive', 'top2'],
  ['2nd must be positive', '2nd'],
])('%j names %s or its type', (message, place) => {
  expect(names(message, place)).toBe(true);
});

test.each([
  ['json: cannot unmarshal number into Go value', 'model', { ...good, model: 7 }],
  ["'NoneType' has no attribute", 'model', { messages: [] }],
  ['not a JSONObject', 'messages', { ...good, messages: {} }],
  ['unexpected boolean', 'messages[].role', { messages: [{ role: 'user' }, { role: true }] }],
  ['undefined is not iterable', 'messages[0].role', { messages: [{}] }],
  ['expected a map', 'messages', 'not known'],
  ['invalid type: found i64', 'model', { ...good, model: 7 }],
  ['cannot convert usize', 'model', { ...good, model: 7 }],
  ['java.lang.Long is not accepted', 'model', { ...good, model: 7 }],
  ['no implicit conversion of Fixnum', 'model', { ...good, model: 7 }],
  ['BigDecimal is not accepted', 'model', { ...good, model: 1.5 }],
  ['unexpected f64', 'model', { ...good, model: 1.5 }],
  ['TrueClass is not accepted', 'model', { ...good, model: true }],
  ['JsonToken.VALUE_FALSE', 'model', { ...good, model: false }],
  ['must not be logical', 'model', { ...good, model: true }],
  ['Use of undef', 'messages[0].role', { messages: [{}] }],
  ['std::nullptr_t is not accepted', 'messages[0].role', { messages: [{ role: null }] }],
  ['kotlin.Unit is not accepted', 'messages[0].role', { messages: [{}] }],
  ['expected CharSequence', 'model', { ...good, model: 7 }],
  ['error.expected.jsarray', 'messages', { ...good, messages: 7 }],
  ['stdClass cannot be used', 'messages', { ...good, messages: {} }],
])('%j names the type that was sent as %s', (message, place, body) => {
  expect(names(message, place, body)).toBe(true);
});

test.each([
  ['Something went wrong', 'messages'],
  ['Bad Request', 'messages[0].role'],
  ['Invalid request, see 0 in the documentation', 'messages[0]'],
  ['See the submessage 3', 'messages[0]'],
  ['', 'model'],
  ['Unlisted interpretation', 'messages'],
  ['ungültige Zahlung', 'messages'],
  ['Invalid request, see 10 in the documentation', 'messages[10]'],
  ['The request was remodelled', 'model'],
  ['Bad Request', 'max_tokens'],
  ['Invalid request object.', 'messages'],
  ['Invalid request object.', 'messages[0].role'],
  ['The body is not a valid string', 'messages'],
  ['ein Objekt wird erwartet', 'model'],
  ['the number 400', 'model'],
  ['expected i64, long, real or u8', 'messages'],
  ['The text is too long', 'messages'],
  ['true', 'model'],
])('%j names neither %s nor its type', (message, place) => {
  expect(names(message, place)).toBe(false);
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

test.each([
  [{ data: [{ id: 'm' }] }, {}, false],
  [{ data: [{ id: 'm' }], has_more: false, next_cursor: null, total: 1 }, {}, false],
  [{ data: [{ id: 'm' }], count: 'many' }, {}, false],
  [{ data: [{ id: 'm' }], has_more: true }, {}, true],
  [{ models: [], nextPageToken: 'x' }, {}, true],
  [{ data: [], pagination: { next_cursor: 'x' } }, {}, true],
  [{ data: [{ id: 'm' }], total: 2 }, {}, true],
  [{ data: [{ id: 'm' }] }, { link: '<https://gateway.example/v1/models?page=2>; rel="next"' }, true],
  [{ data: [{ id: 'm' }] }, { link: '</docs>; rel="help"' }, false],
])('the model list %j with the headers %j is one page of several: %j', (body, headers, expected) => {
  const text = JSON.stringify(body);
  const answer = { status: 200, headers, text, size: text.length, content: readContent(text), pieces: 1 };
  expect(isPagedList(answer)).toBe(expected);
});
