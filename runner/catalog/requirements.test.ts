import { describe, expect, test } from 'vitest';
import { catalogOfPackage } from './catalog.ts';
import { findRequirements } from './requirements.ts';

const { requirements } = (await catalogOfPackage()).ledger;
const attributes = {
  operation: 'chat',
  surface: 'model',
  accept: 'json',
  family: 'A',
  header: 'bearer',
  body: 'none',
  key: 'unknown',
  streamed: 'false',
  request: 'valid',
  accepted: 'true',
  fault: 'none',
  model: 'good',
  given: 'none',
};
const named = ['auth/bad-bearer-token', 'auth/bad-x-api-key', 'models/unlisted'];
const known = requirements.filter(({ id }) => named.includes(id));

describe('the requirements for given attributes', () => {
  test.each([
    [{}, ['auth/bad-bearer-token']],
    [{ header: 'x-api-key' }, ['auth/bad-x-api-key']],
    [{ request: 'invalid' }, []],
    [{ key: 'good', model: 'unlisted', header: 'any' }, ['models/unlisted']],
  ])('with the changes %j are %j', (other, ids) => {
    expect(findRequirements({ ...attributes, ...other }, known).map(({ id }) => id)).toEqual(ids);
  });
  test('contain no requirement that depends on an unknown attribute', () => {
    const { key: _, ...unknown } = attributes;
    expect(findRequirements(unknown, known)).toEqual([]);
  });
});
