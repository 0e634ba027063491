import { expect, test } from 'vitest';
import { conforming } from '../decisions/index.ts';
import type { Context } from '../gateway/context.ts';
import { onlyWhere } from './changes.ts';

const contextOf = (number: number) => ({ number, request: {}, state: {} });
const limitedDecisions = Object.keys(conforming).filter((name) => name !== 'newTraceId');

test.each(limitedDecisions)('%s is changed only for requests for which the condition holds', (name) => {
  const changed = { [name]: () => 'changed' };
  const isSecond = ({ number }: Context) => number === 2;
  const limited: object = onlyWhere(isSecond, () => changed)({ ...conforming, [name]: () => 'base' });
  expect(Object.keys(limited)).toEqual([name]);
  const [decide] = Object.values(limited);
  expect(decide('value', 'another', contextOf(1))).toBe('base');
  expect(decide('value', 'another', contextOf(2))).toBe('changed');
});

test('a decision that is made without a request is not limited to some requests', () => {
  const limit = () =>
    onlyWhere(
      () => true,
      () => ({ newTraceId: () => 'x' }),
    )(conforming);
  expect(limit).toThrow('newTraceId has no request that a condition could be about');
});
