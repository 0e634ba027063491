import { expect, test } from 'vitest';
import { readSearch } from './search.ts';

const text = 'operation=chat http 500 status=500 the wrong status 41500e7 case/x';

test.each([
  ['', true],
  ['  ', true],
  ['wrong chat', true],
  ['wrong right', false],
  ['WRONG', true],
  ['"wrong status"', true],
  ['"status wrong"', false],
  ['"wrong sta', true],
  ['-right', true],
  ['-wrong', false],
  ['-"wrong status"', false],
  ['-', true],
  ['operation:chat', true],
  ['operation:models', false],
  ['status:500', true],
  ['-status=500', false],
  ['500', true],
  ['415', false],
  ['41500', true],
  ['50', false],
])('%j fits: %s', (search, fits) => {
  expect(readSearch(search)(text)).toBe(fits);
});
