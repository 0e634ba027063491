import { expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { createControls } from '../evidence/controls.ts';
import { createPromise } from '../profile/promise.ts';
import { parseProfile } from '../profile/read-profile.ts';
import { createNameSource, deriveKeys } from '../request/keys.ts';
import { buildContext } from './sender.ts';

const catalog = await catalogOfPackage();
function made(seed: string | undefined): readonly [model: string, ...records: string[]] {
  const profile = parseProfile({ baseUrl: 'http://gateway.example', keys: { valid: 'sk-a' } }, catalog);
  const context = buildContext(
    {
      promise: createPromise(catalog, profile),
      keys: deriveKeys(profile.keys),
      nameSource: createNameSource(seed),
    },
    createControls(),
  );
  return [context.unlistedModel, ...['a', 'b', 'a'].map((exchange) => context.unknownRecord(exchange))];
}

test('a seed gives the same names in two runs, and a different name for each record', () => {
  expect(made('seed')).toEqual(made('seed'));
  expect(new Set([...made('seed'), ...made('other')]).size).toBe(8);
});

test('two runs without a seed have different names', () => {
  expect(new Set([...made(undefined), ...made(undefined)]).size).toBe(8);
});

test('keys of other gateways are secrets too', () => {
  const { secrets } = deriveKeys({ valid: 'sk-own' }, { others: ['sk-own', 'sk-other'] });
  expect([secrets.get('sk-own'), secrets.get('sk-other')]).toEqual(['keys.valid', 'keys.other-target']);
});

test('the records of a seed do not depend on the order of the exchanges', () => {
  const profile = parseProfile({ baseUrl: 'http://gateway.example', keys: { valid: 'sk-a' } }, catalog);
  const recordsOf = (exchanges: readonly string[]) => {
    const context = buildContext(
      {
        promise: createPromise(catalog, profile),
        keys: deriveKeys(profile.keys),
        nameSource: createNameSource('seed'),
      },
      createControls(),
    );
    return new Map(exchanges.map((exchange) => [exchange, context.unknownRecord(exchange)]));
  };
  expect(recordsOf(['b', 'a'])).toEqual(recordsOf(['a', 'b']));
});
