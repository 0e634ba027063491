import { expect, test } from 'vitest';
import { conforming } from './gateway/conforming.ts';
import type { Context } from './gateway/context.ts';
import { applyWhere } from './overrides.ts';

const contextOf = (number: number) => ({ number, request: {}, state: {} });
const limitedDecisions = Object.keys(conforming).filter((name) => name !== 'createTraceId');

test.each(limitedDecisions)('applyWhere replaces %s only for requests that satisfy the condition', (name) => {
  const changed = { [name]: () => 'changed' };
  const isSecond = ({ number }: Context) => number === 2;
  const limited: object = applyWhere(isSecond, () => changed)({ ...conforming, [name]: () => 'base' });
  expect(Object.keys(limited)).toEqual([name]);
  const [decide] = Object.values(limited);
  expect(decide('value', 'another', contextOf(1))).toBe('base');
  expect(decide('value', 'another', contextOf(2))).toBe('changed');
});

test('applyWhere throws for a decision that is made without a request', () => {
  const limit = () =>
    applyWhere(
      () => true,
      () => ({ createTraceId: () => 'x' }),
    )(conforming);
  expect(limit).toThrow(
    '`createTraceId` gets no request, so an override of `createTraceId` cannot be limited to some requests. Remove `applyWhere`.',
  );
});
