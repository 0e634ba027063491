import { expect, test } from 'vitest';
import { loadCatalog } from '../catalog/catalog.ts';
import { parseProfile } from '../profile/read-profile.ts';
import { makeKeys } from '../request/keys.ts';
import { createNameSource } from '../request/unique-name.ts';
import { makeControls } from './controls.ts';
import { buildContext } from './sender.ts';

const catalog = await loadCatalog();
function made(seed: string | undefined): readonly [model: string, ...records: string[]] {
  const profile = parseProfile({ baseUrl: 'http://gateway.example', keys: { valid: 'sk-a' } }, catalog);
  const context = buildContext(
    { catalog, profile, keys: makeKeys(profile.keys), draw: createNameSource(seed) },
    makeControls(),
  );
  return [context.unlistedModel, ...['a', 'b', 'a'].map((exchange) => context.unknownRecord(exchange))];
}

test('what is made up of one seed is the same in every run, each record another', () => {
  expect(made('seed')).toEqual(made('seed'));
  expect(new Set([...made('seed'), ...made('other')]).size).toBe(8);
});

test('without a seed each run makes up others', () => {
  expect(new Set([...made(undefined), ...made(undefined)]).size).toBe(8);
});

test('keys of other gateways are secrets too, unless they are its own', () => {
  const { secrets } = makeKeys({ valid: 'sk-own' }, { others: ['sk-own', 'sk-other'] });
  expect([secrets.get('sk-own'), secrets.get('sk-other')]).toEqual(['keys.valid', 'keys.other-target']);
});

test('the records of one seed are the same in whatever order the exchanges come', () => {
  const profile = parseProfile({ baseUrl: 'http://gateway.example', keys: { valid: 'sk-a' } }, catalog);
  const recordsOf = (exchanges: readonly string[]) => {
    const context = buildContext(
      { catalog, profile, keys: makeKeys(profile.keys), draw: createNameSource('seed') },
      makeControls(),
    );
    return new Map(exchanges.map((exchange) => [exchange, context.unknownRecord(exchange)]));
  };
  expect(recordsOf(['b', 'a'])).toEqual(recordsOf(['a', 'b']));
});
