import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../common/package-root.ts';
import { operations } from '../gateway/operations.ts';
import { createReferenceServer } from '../index.ts';
import { readScript } from './read-script.ts';

test.each<[string, unknown, RegExp]>([
  ['a value that is not a list', {}, /the value must be an array/],
  ['a rule without an answer', [{}], /`\[0\]\.answer` must be present/],
  [
    'an unknown member',
    [{ answer: { colour: 1 } }],
    /`\[0\]\.answer\.colour` must be omitted, because the only known properties are error, /,
  ],
  ['a mistyped member', [{ answer: { erorr: 1 } }], /`\[0\]\.answer\.erorr` must be named `error`/],
  ['a mistyped name of a required member', [{ anser: {} }], /`\[0\]\.anser` must be named `answer`/],
  [
    'an unknown operation',
    [{ match: { operation: 'chta' }, answer: {} }],
    /operation` must be one of: chat, /,
  ],
  ['an unknown error', [{ answer: { error: 'no' } }], /answer\.error` must be one of: missing_auth/],
  ['an error with a body', [{ answer: { error: 'not_found', body: 1 } }], /answer\.body` must be omitted/],
  ['a text with a status', [{ answer: { text: 'a', status: 201 } }], /answer\.status` must be omitted/],
  ['an empty response in a list', [{ answer: [{ cut: 1 }, {}] }], /`\[0\]\.answer\[1\]` must/],
  ['a time without a unit', [{ answer: { after: '5' } }], /after` must/],
  ['a time that is too long for a timer', [{ answer: { after: '99999m' } }], /after` must/],
  ['a header with a line break', [{ answer: { headers: { a: 'b\r\nc: d' } } }], /headers\.a` must/],
  ['a content length', [{ answer: { headers: { 'Content-Length': 3 } } }], /headers` must/],
  ['a status that is not final', [{ answer: { status: 101 } }], /status` must be a number of at least 200/],
])('rejects %s, and names the place', (_name, value, message) => {
  expect(() => readScript(value)).toThrow(message);
});

test('a server does not start with an invalid script, and keeps its script if a new one is invalid', async () => {
  await expect(createReferenceServer({ script: [{ answer: {} }] })).rejects.toThrow(/answer/);
  const server = await createReferenceServer({ script: [{ answer: { status: 418 } }] });
  expect(() => server.script([{ answer: { after: 'soon' } }])).toThrow(/after/);
  expect((await fetch(server.url)).status).toBe(418);
  await server.close();
});

describe('the schema of scripts', () => {
  const text = readFileSync(join(packageRoot, 'specs/schemas/script.schema.json'), 'utf8');
  const { $defs } = JSON.parse(text);
  test('has every operation', () => {
    expect([...$defs.operation.enum].sort()).toEqual(Object.keys(operations).sort());
  });
  test('accepts each error of its list', () => {
    for (const error of $defs.error.enum) expect(readScript([{ answer: { error } }])).toHaveLength(1);
  });
});
