import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import type { Attributes } from '../catalog/condition.ts';
import type { OperationId } from '../catalog/operations.ts';
import { encodeBody } from '../exchange/decode.ts';
import { parseProfile } from '../profile/read-profile.ts';
import { addMembers, buildBody, changeAt, parsePlace } from './body.ts';

const catalog = await catalogOfPackage();
const { fixtures } = catalog;
const least = { baseUrl: 'http://x', keys: { valid: 'sk-a' } };
function bodyText(id: OperationId, attributes: Attributes, value: object = {}): string {
  const profile = parseProfile({ ...least, ...value }, catalog);
  return buildBody(attributes, { fixtures, profile, operation: catalog.operations[id], model: 'm/1' });
}
const messages = [{ role: 'user', content: 'Count from one to five.' }];

const decoder = new TextDecoder('utf-8', { fatal: true });
function parseStrictly(body: string): unknown {
  const bytes = encodeBody(body);
  return JSON.parse(typeof bytes === 'string' ? bytes : decoder.decode(bytes));
}

describe('a body', () => {
  test.each<[string, OperationId, Attributes, object, unknown]>([
    ['is minimal', 'chat', {}, {}, { model: 'm/1', messages }],
    [
      'has no model if the path contains the model ID',
      'generate',
      {},
      {},
      { contents: [{ role: 'user', parts: [{ text: 'Count from one to five.' }] }] },
    ],
    ['requests a stream', 'chat', { streamed: 'true' }, {}, { model: 'm/1', messages, stream: true }],
    [
      'requests a stream with the parameter of the profile',
      'chat',
      { streamed: 'true' },
      { stream: { parameter: 'live' } },
      { model: 'm/1', messages, live: true },
    ],
    [
      'has no stream parameter if the path requests the stream',
      'streamGenerate',
      { streamed: 'true' },
      {},
      { contents: [{ role: 'user', parts: [{ text: 'Count from one to five.' }] }] },
    ],
    [
      'contains the members of the profile, merged deeply',
      'responses',
      {},
      { bodies: { responses: { max: 1, input: 'Hi', a: { b: 1 } } } },
      { model: 'm/1', input: 'Hi', max: 1, a: { b: 1 } },
    ],
    [
      'of streamGenerate contains the members of generate',
      'streamGenerate',
      {},
      { bodies: { generate: { x: 1 } } },
      { contents: [{ role: 'user', parts: [{ text: 'Count from one to five.' }] }], x: 1 },
    ],
    [
      'is based on another fixture',
      'chat',
      { body: 'chat-conversation', fault: 'missing', place: 'messages[3].role' },
      {},
      {
        model: 'm/1',
        messages: [
          { role: 'system', content: 'Be brief.' },
          ...messages,
          { role: 'assistant', content: 'ok' },
          { content: 'Say it again.' },
        ],
      },
    ],
    ['lacks a member', 'chat', { fault: 'missing', place: 'messages' }, {}, { model: 'm/1' }],
    [
      'lacks a member of the first item if no place is named',
      'chat',
      { fault: 'missing', member: 'messages[].role' },
      {},
      { model: 'm/1', messages: [{ content: 'Count from one to five.' }] },
    ],
    [
      'has a member with a wrong type',
      'chat',
      { fault: 'wrong-type', place: 'model', given: 'null' },
      {},
      { model: null, messages },
    ],
    [
      'has a name in other case',
      'chat',
      { fault: 'missing', place: 'messages[0].role', given: 'other-case' },
      {},
      { model: 'm/1', messages: [{ content: expect.any(String), Role: 'user' }] },
    ],
    ['has an empty text', 'chat', { fault: 'empty', place: 'model' }, {}, { model: '', messages }],
    [
      'has a value that the specification leaves open',
      'chat',
      { fault: 'left-open', given: 'no-messages' },
      {},
      { model: 'm/1', messages: [] },
    ],
    [
      'escapes characters beyond ASCII',
      'chat',
      { body: 'chat-emoji', given: 'escaped' },
      {},
      {
        model: 'm/1',
        messages: [
          {
            role: 'user',
            content:
              'Name these: \u{1F600} \u{1F44B}\u{1F3FD} \u{1F469}\u200D\u{1F469}\u200D\u{1F467} \u{1F1FA}\u{1F1F3}\u2028Explain {}, {{name}} and %s.',
          },
        ],
      },
    ],
    ['can be an array instead of an object', 'chat', { fault: 'non-object', given: 'array' }, {}, []],
  ])('%s', (_, id, attributes, value, expected) => {
    expect(JSON.parse(bodyText(id, attributes, value))).toEqual(expected);
  });
  test('contains the image', () => {
    expect(bodyText('messages', { fault: 'image' })).toContain(fixtures.image);
    expect(fixtures.image.length).toBeGreaterThan(50);
  });
  test('that is escaped has only ASCII', () => {
    expect(bodyText('chat', { body: 'chat-emoji', given: 'escaped' })).toMatch(
      /^[\s\x20-\x7e]*\\ud83d\\ude00[\s\x20-\x7e]*$/,
    );
  });

  test('that is escaped has white space at both ends, members in reverse order and escaped names', () => {
    const text = bodyText('chat', { body: 'chat-emoji', given: 'escaped', streamed: 'true' });
    expect(text).toMatch(/^\s+\{\s.*\}\s+$/s);
    expect(text).not.toMatch(/"(model|messages|role|content|stream)"/);
    const { messages, ...others } = JSON.parse(text);
    expect(Object.keys(JSON.parse(text))).toEqual(['stream', 'messages', 'model']);
    expect(Object.keys(messages[0])).toEqual(['content', 'role']);
    expect(others).toEqual({ stream: true, model: 'm/1' });
  });

  test('can begin with a byte order mark', () => {
    expect(bodyText('chat', { fault: 'left-open', given: 'byte-order-mark' })).toMatch(
      /^\uFEFF\{"model":"m\/1"/,
    );
  });

  test('can be large or deep', () => {
    expect(bodyText('chat', { fault: 'unparseable', given: 'large' }).length).toBeGreaterThan(102_400);
    expect(bodyText('chat', { fault: 'unparseable', given: 'deep' })).toBe('['.repeat(10_000));
  });

  test('can be empty', () => {
    expect(bodyText('chat', { fault: 'empty-body' })).toBe('');
  });
  test.each(Object.keys(fixtures.unparseable))('with a syntax error is not JSON: %s', (given) => {
    for (const id of ['chat', 'responses', 'messages', 'generate'] as const) {
      const body = bodyText(id, { fault: 'unparseable', given });
      expect(() => parseStrictly(body)).toThrow();
      expect(body).not.toContain('{model}');
    }
  });
  test.each<[Attributes, string]>([
    [{ fault: 'unparseable', given: 'x' }, 'no unparseable body "x"'],
    [{ body: 'chta' }, 'no body "chta"'],
    [{ fault: 'left-open', given: 'x' }, 'no left-open value "x"'],
    [{ fault: 'x' }, 'Unknown value of the attribute "fault": "x"'],
  ])('of %j throws', (attributes, message) => {
    expect(() => bodyText('chat', attributes)).toThrow(message);
  });
});

test.each<[string | undefined, (string | number)[]]>([
  ['messages[0].role', ['messages', 0, 'role']],
  ['a.b', ['a', 'b']],
  ['a[1][2]', ['a', 1, 2]],
  ['', []],
  [undefined, []],
])('parses the path %j as %j', (place, expected) => {
  expect(parsePlace(place)).toEqual(expected);
});

test('a change does not modify the original', () => {
  const original = { a: [{ b: 1 }] };
  expect(changeAt(original, ['a', 0, 'b'], { value: 2 })).toEqual({ a: [{ b: 2 }] });
  expect(changeAt(original, ['a', 0, 'b'], undefined)).toEqual({ a: [{}] });
  expect(original).toEqual({ a: [{ b: 1 }] });
});

test.each([
  ['{"model":"m"}', '{"api_key":"k","model":"m"}'],
  ['{}', '{"api_key":"k"}'],
  ['{ }', '{"api_key":"k" }'],
  ['[1]', '[1]'],
  [undefined, undefined],
])('addMembers with the body %j returns %j', (body, expected) => {
  expect(addMembers(body, { api_key: 'k' })).toBe(expected);
});
