import { expect, test } from 'vitest';
import { comparesExchanges, parseExpectation } from './expectation.ts';

const parse = (raw: unknown) =>
  parseExpectation(raw, (path, problem) => new Error(`${path.join('.')}: ${problem}`));
const status = (member: string) => ({ kind: 'status', status: { members: [member], negated: false } });

test.each<[string, unknown, unknown]>([
  ['a status', { status: 401 }, status('401')],
  [
    'a status and a type, which must both hold',
    { status: 401, type: 'a' },
    { kind: 'all', of: [status('401'), { kind: 'type', types: ['a'], unlessNotJson: false }] },
  ],
  [
    'a type where the body is JSON',
    { typeIfJson: ['a', 'b'] },
    { kind: 'type', types: ['a', 'b'], unlessNotJson: true },
  ],
  ['a code', { code: 'a' }, { kind: 'code', codes: ['a'] }],
  ['a schema of the body', { body: 'model-error' }, { kind: 'body', schema: 'model-error' }],
  [
    'a value that must stand where its parent does',
    { at: '/a', is: {} },
    { kind: 'is', at: '/a', schema: {}, whenAbsent: 'fault-if-parent' },
  ],
  [
    'a value that may be absent',
    { at: '/a', is: {}, optional: true },
    { kind: 'is', at: '/a', schema: {}, whenAbsent: 'nothing' },
  ],
  [
    'a value that must stand with its parent',
    { at: '/a', is: {}, parent: 'required' },
    { kind: 'is', at: '/a', schema: {}, whenAbsent: 'fault' },
  ],
  ['equality of places', { at: '/a', equals: 'status' }, { kind: 'equals', at: '/a', other: 'status' }],
  [
    'alternatives',
    { anyOf: [{ status: 401 }, { code: 'a' }] },
    { kind: 'any', of: [status('401'), { kind: 'code', codes: ['a'] }] },
  ],
  ['some of several', { some: { status: 429 } }, { kind: 'some', of: status('429') }],
  ['none of several', { none: { status: '2xx' } }, { kind: 'none', of: status('2xx') }],
  ['the same in several', { same: ['status', '/a'] }, { kind: 'same', at: ['status', '/a'] }],
  [
    'a fact',
    { fact: { keyPrefix: 'sk-' } },
    { kind: 'fact', name: 'keyPrefix', matcher: { values: ['sk-'], negated: false } },
  ],
])('%s is read', (_, raw, expected) => {
  expect(parse(raw)).toEqual(expected);
});

test.each<[string, unknown, string]>([
  ['no mapping', 401, ': an expectation is a mapping'],
  ['nothing', {}, ': an expectation must ask for something'],
  ['a place alone', { at: '/a' }, ': an expectation must ask for something'],
  ['an unknown member', { state: 401 }, 'state: an expectation has no member "state"'],
  ['a status that is none', { status: 'ok' }, 'status: a status is 100 to 599'],
  ['alternatives that are no list', { anyOf: { status: 401 } }, 'anyOf: `anyOf` is a list'],
  [
    'a fault deep inside',
    { anyOf: [{ status: 401 }, { some: { allOf: [{}] } }] },
    'anyOf.1.some.allOf.0: an expectation must',
  ],
  ['a schema that is none', { at: '/a', is: 'string' }, 'is: `is` is a JSON Schema'],
  ['a fact without a name', { fact: {} }, 'fact: `fact` is a mapping of one fact'],
])('%s is refused with its place', (_, raw, message) => {
  expect(() => parse(raw)).toThrow(message);
});

test.each([
  [{ same: ['status'] }, true],
  [{ distinct: '/a' }, true],
  [{ none: { status: '2xx' } }, false],
  [{ status: 200 }, false],
])('whether %j needs several exchanges is %j', (raw, expected) => {
  expect(comparesExchanges(parse(raw))).toBe(expected);
});
