import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { WireResponse } from '../wire/response.ts';
import { joinChunks } from '../wire/wire-changes.ts';
import type { Change } from './rule.ts';
import { changeWire, type WireTools } from './wire.ts';

const released = Promise.resolve();
const tools: WireTools = { createErrorEvent: (reason) => `error ${reason}`, released: () => released };
const wire: WireResponse = {
  status: 200,
  reason: 'OK',
  headers: [
    ['content-type', 'a'],
    ['x-trace-id', 'b-c'],
    ['x-last', 'd'],
  ],
  after: 10,
  chunks: [
    { after: 1, data: 'é' },
    { after: 1, data: 'two' },
    { after: 1, data: 'three' },
  ],
  framing: 'chunked',
  ending: 'finish',
};
const textOf = (changed: WireResponse): string => joinChunks(changed).toString('latin1');

test.each<[string, Change, Partial<WireResponse>]>([
  ['a pause on top of its own', { after: '1s' }, { after: 1010 }],
  ['a cut', { cut: 1 }, { ending: 'cut', framing: 'chunked' }],
  ['no answer', { close: 'before-headers' }, { ending: 'unanswered' }],
  ['a silent end', { close: 'after-body' }, { ending: 'closed' }],
  ['a wait for its release', { untilReleased: true }, { released }],
  [
    'a header in its place',
    { headers: { 'X-Trace-Id': 7 } },
    {
      headers: [
        ['content-type', 'a'],
        ['X-Trace-Id', '7'],
        ['x-last', 'd'],
      ],
    },
  ],
  [
    'a header less',
    { headers: { 'content-type': { remove: true }, 'x-none': { remove: true } } },
    {
      headers: [
        ['x-trace-id', 'b-c'],
        ['x-last', 'd'],
      ],
    },
  ],
  [
    'none of its headers, except for some',
    { headers: { '*': { remove: true }, 'content-type': 'b', 'x-new': 1 } },
    {
      headers: [
        ['content-type', 'b'],
        ['x-new', '1'],
      ],
    },
  ],
  [
    'chunks of at most two bytes',
    { split: 2 },
    {
      framing: 'chunked',
      chunks: [
        { after: 1, data: Buffer.from('é') },
        { after: 1, data: Buffer.from('tw') },
        { after: 0, data: Buffer.from('o') },
        { after: 1, data: Buffer.from('th') },
        { after: 0, data: Buffer.from('re') },
        { after: 0, data: Buffer.from('e') },
      ],
    },
  ],
  [
    'a header in another form',
    { headers: { 'x-trace-id': { as: 'undashed' }, 'x-none': { as: 'upper' } } },
    {
      headers: [
        ['content-type', 'a'],
        ['x-trace-id', 'bc'],
        ['x-last', 'd'],
      ],
    },
  ],
  ['a new header at the end', { headers: { 'x-new': '' } }, { headers: [...wire.headers, ['x-new', '']] }],
])('a response gets %s', (_, change, expected) => {
  expect(changeWire(wire, change, tools)).toMatchObject(expected);
});

test.each<[Change, string]>([
  [{ error: 'internal' }, 'Ã©error internal'],
  [{ error: { reason: 'low-balance', after: 2 } }, 'Ã©twoerror low-balance'],
  [{ error: 'internal', cut: 1 }, 'Ã©'],
  [{ encode: 'latin1' }, 'étwothree'],
  [{ encode: 'gzip' }, ''],
])('with %j, the body is %j', (change, text) => {
  const changed = changeWire(wire, change, tools);
  if (change.encode === 'gzip') {
    expect(gunzipSync(joinChunks(changed)).toString()).toBe('étwothree');
    expect(changed.headers.at(-1)).toEqual(['content-encoding', 'gzip']);
  } else expect(textOf(changed)).toBe(text);
});

test('an error inside a stream needs a stream, and a server with errors', () => {
  const plain: WireResponse = { ...wire, framing: 'length' };
  expect(changeWire(plain, { error: 'internal' }, tools)).toEqual(plain);
  expect(changeWire(wire, { error: 'internal' }, { ...tools, createErrorEvent: () => undefined })).toEqual(
    wire,
  );
});
