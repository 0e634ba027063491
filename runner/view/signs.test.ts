import { expect, test } from 'vitest';
import * as signs from './signs.ts';

test('each sign has one meaning', () => {
  const looks = [
    ...Object.values(signs.outcomeLooks),
    ...Object.values(signs).filter((part): part is signs.Look => 'sign' in part),
  ];
  const all = looks.map(({ sign }) => sign);
  expect(all.length).toBeGreaterThan(10);
  expect(new Set(all).size).toBe(all.length);
});
