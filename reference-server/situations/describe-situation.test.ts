import { expect, test } from 'vitest';
import { describeSituation, modelCalls } from './describe-situation.ts';
import type { Situation } from './situation.ts';

test.each<[Situation, string]>([
  [
    { match: { operation: modelCalls, times: 2 }, change: { refuse: 'too-frequent' } },
    '429 too many requests – all model calls',
  ],
  [
    { match: { operation: 'chat' }, change: { refuse: 'too-frequent', headers: { 'retry-after': 5 } } },
    '429 too many requests, retry-after: 5 – chat',
  ],
  [{ change: { refuse: 'internal', status: 503 } }, '503 service unavailable'],
  [{ change: { refuse: 'low-balance' } }, '400 or 402 balance too low'],
  [{ change: { refuse: 'missing-credential' } }, 'refused: missing-credential'],
  [
    { change: { after: '30s', close: 'before-headers' } },
    'pause of 30s, connection closes without a response',
  ],
  [
    { match: { streamed: true, refused: false }, change: { cut: 1 } },
    'connection breaks after 1 chunk – streams',
  ],
  [
    { change: { error: { reason: 'internal', after: 2 } } },
    'error inside the stream after 2 chunks: 500 internal error',
  ],
  [
    { match: { model: ['a', 'b'], every: 3 }, change: [{ status: 418 }, { type: 'x' }] },
    'status 418; then type: x – model: ["a","b"], every: 3',
  ],
  [{ fault: 'bad-key/deleted-works', times: 3 }, 'Fault bad-key/deleted-works'],
])('the title of %j is %j', (situation, title) => {
  expect(describeSituation(situation)).toBe(title);
});
