import { expect, test } from 'vitest';
import { isDeeperThan } from './decode.ts';

test.each([
  ['[[]]', 1, true],
  ['[[]]', 2, false],
  ['{"a":{"b":{}}}', 2, true],
  ['[{"a":[]}]', 2, true],
  ['[[],[],[]]', 2, false],
  ['["[[[[[["]', 1, false],
  ['["\\"[[[["]', 1, false],
  ['["\\\\",[[]]]', 2, true],
  ['[[', 1, false],
  ['[[[', 1, true],
  ['[{', 0, true],
  ['no JSON', 0, false],
])('%s has more than %d levels: %s', (text, levels, deeper) => {
  expect(isDeeperThan(levels, text)).toBe(deeper);
});
