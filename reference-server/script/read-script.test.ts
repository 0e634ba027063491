import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../contract/package-root.ts';
import { operations } from '../gateway/operations.ts';
import { createReferenceServer } from '../index.ts';
import { readScript } from './read-script.ts';

test.each<[string, unknown, RegExp]>([
  ['no list', {}, /`body` must be an array/],
  ['no answer', [{}], /`\[0\]\.answer` must be present/],
  [
    'an unknown member',
    [{ answer: { erorr: 1 } }],
    /`\[0\]\.answer\.erorr` must be left out, or one of error, /,
  ],
  ['an unknown operation', [{ match: { operation: 'chta' }, answer: {} }], /operation` must be one of chat,/],
  ['an unknown failure', [{ answer: { error: 'no' } }], /answer\.error` must be one of missing_auth/],
  ['a failure with a body', [{ answer: { error: 'not_found', body: 1 } }], /answer\.body` must be left out/],
  ['a text with a status', [{ answer: { text: 'a', status: 201 } }], /answer\.status` must be left out/],
  ['nothing in a list', [{ answer: [{ cut: 1 }, {}] }], /`\[0\]\.answer\[1\]` must/],
  ['a time without a unit', [{ answer: { after: '5' } }], /after` must/],
  ['a time beyond all timers', [{ answer: { after: '99999m' } }], /after` must/],
  ['a header that breaks lines', [{ answer: { headers: { a: 'b\r\nc: d' } } }], /headers\.a` must/],
  ['a length', [{ answer: { headers: { 'Content-Length': 3 } } }], /headers` must/],
  ['a status that begins nothing', [{ answer: { status: 101 } }], /status` must be a number of at least 200/],
])('%s is told with its place', (_name, value, message) => {
  expect(() => readScript(value)).toThrow(message);
});

test('a server does not start with what is no script, and keeps its own where it is given none', async () => {
  await expect(createReferenceServer({ script: [{ answer: {} }] })).rejects.toThrow(/answer/);
  const server = await createReferenceServer({ script: [{ answer: { status: 418 } }] });
  expect(() => server.script([{ answer: { after: 'soon' } }])).toThrow(/after/);
  expect((await fetch(server.url)).status).toBe(418);
  await server.close();
});

describe('the schema', () => {
  const text = readFileSync(join(packageRoot, 'specs/schemas/script.schema.json'), 'utf8');
  const { $defs } = JSON.parse(text);
  test('knows every operation', () => {
    expect([...$defs.operation.enum].sort()).toEqual(Object.keys(operations).sort());
  });
  test('has only failures that the gateway can word', () => {
    for (const error of $defs.answer.properties.error.enum)
      expect(readScript([{ answer: { error } }])).toHaveLength(1);
  });
});
