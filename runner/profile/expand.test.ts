// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are the variables of a profile
import { describe, expect, test } from 'vitest';
import { parseDataFile } from '../../common/data-file.ts';
import { expandVariables } from './expand.ts';

const environment = { URL: 'http://x', KEY: 'sk-$&a', EMPTY: '' };
const allowed = Object.keys(environment).concat('NOPE');
const expand = (text: string, ...given: string[]) =>
  expandVariables(parseDataFile('c.yaml', text), { environment, allowed }, new Set(given));

describe('variables', () => {
  test.each<[string, unknown]>([
    ['a: ${URL}/v1', { a: 'http://x/v1' }],
    ['a: ${URL}${URL}', { a: 'http://xhttp://x' }],
    ['a: { b: [1, "${KEY}", true, null] }', { a: { b: [1, 'sk-$&a', true, null] } }],
  ])('are replaced in %j', (text, expected) => {
    expect(expand(text)).toMatchObject({ value: expected, unset: new Map() });
  });
  test.each<[string, unknown]>([
    ['a: $URL, ${}, ${1}, {URL}', { a: '$URL, ${}, ${1}, {URL}' }],
    ['${URL}: 1', { '${URL}': 1 }],
  ])('of another form, or in a name, are not replaced: %j', (text, expected) => {
    expect(expand(text)).toMatchObject({ value: expected, unset: new Map() });
  });
  test.each<[string, unknown, [string, string][]]>([
    ['keys: { valid: sk-a, deleted: "${NOPE}" }', { keys: { valid: 'sk-a' } }, [['keys.deleted', 'NOPE']]],
    ['records: { own: "x-${EMPTY}" }', { records: {} }, [['records.own', 'EMPTY']]],
    [
      'a: ${URL}\nmodels: { chat: { good: "${NOPE}" } }',
      { a: 'http://x', models: { chat: {} } },
      [['models.chat.good', 'NOPE']],
    ],
    [
      'a: ["${NOPE}", b, "${EMPTY}"]',
      { a: ['b'] },
      [
        ['a.0', 'NOPE'],
        ['a.2', 'EMPTY'],
      ],
    ],
    [
      'a: { b: ["${NOPE}"], c: [] }',
      { a: { c: [] } },
      [
        ['a.b.0', 'NOPE'],
        ['a.b', 'NOPE'],
      ],
    ],
  ])('that are missing or empty omit an optional property: %j', (text, value, unset) => {
    expect(expand(text)).toMatchObject({ value, unset: new Map(unset) });
  });
  test.each([
    [
      '# c\nbaseUrl: ${NOPE}',
      'c.yaml:2: baseUrl needs the environment variable NOPE, which is unset or empty. Set the variable.',
    ],
    [
      'keys:\n  valid: ${NOPE}',
      'c.yaml:2: keys.valid needs the environment variable NOPE, which is unset or empty. Set the variable.',
    ],
    [
      'headers: { x-tenant: "t-${NOPE}" }',
      'c.yaml:1: headers.x-tenant needs the environment variable NOPE, which is unset or empty. Set the variable.',
    ],
    [
      'baseUrl: ${EMPTY}',
      'c.yaml:1: baseUrl needs the environment variable EMPTY, which is unset or empty. Set the variable.',
    ],
  ])('that are missing or empty are an error in a required property: %j', (text, message) => {
    expect(() => expand(text)).toThrow(message);
    expect(expand(text, 'baseUrl', 'keys.valid', 'headers').unset.size).toBe(1);
  });
});
