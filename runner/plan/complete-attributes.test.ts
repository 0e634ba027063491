import { expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import { completeAttributes } from './complete-attributes.ts';

const catalog = await catalogOfPackage();
const profile = createEverythingProfile(catalog);

const derived = ['surface', 'family', 'accepted', 'keyPrefix', 'request'];

test('keeps every attribute of the vocabulary that is not derived', () => {
  const names = catalog.attributes.names.filter((name) => !derived.includes(name));
  const given = Object.fromEntries(names.map((name) => [name, `own ${name}`]));
  expect(names.length).toBeGreaterThan(20);
  expect(completeAttributes(given, catalog.operations, profile)).toMatchObject(given);
});
