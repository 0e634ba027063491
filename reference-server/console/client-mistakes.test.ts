import { expect, test } from 'vitest';
import type { ReceivedRequest } from '../journal.ts';
import { findClientMistakes } from './client-mistakes.ts';

const right: ReceivedRequest = {
  ...{ number: 1, at: 0, method: 'POST', path: '/v1/messages', query: {}, body: {}, operation: 'messages' },
  ...{ model: undefined, key: 'valid', streamed: false, status: 200, traceId: '' },
  headers: {
    'x-api-key': '{{keys.valid}}',
    'anthropic-version': '2023-06-01',
    'content-type': 'application/json; charset=utf-8',
  },
};
const { 'anthropic-version': _, ...withoutVersion } = right.headers;

test.each<[string, Partial<ReceivedRequest>, readonly string[]]>([
  ['a right request', {}, []],
  ['two credentials', { headers: { ...right.headers, authorization: 'Bearer' } }, ['client/one-header']],
  ['no version header', { headers: withoutVersion }, ['client/version-header']],
  [
    'another version',
    { headers: { ...right.headers, 'anthropic-version': '2026-01-01' } },
    ['client/version-header'],
  ],
  ['no version header in family A', { operation: 'chat', headers: withoutVersion }, []],
  [
    'a body of another type',
    { headers: { ...right.headers, 'content-type': 'text/plain' } },
    ['client/json-content-type'],
  ],
  ['no body', { operation: 'models', body: undefined, headers: { 'x-api-key': 'k' } }, []],
  ['an unknown path', { operation: undefined, headers: {} }, []],
])('the mistakes of a client in %s are found', (_, changes, duties) => {
  const found = findClientMistakes({ ...right, ...changes }, 'Anthropic-Version');
  expect(found.map(({ duty }) => duty)).toEqual(duties);
  for (const { says } of found) expect(says).toMatch(/^A client must/);
});
