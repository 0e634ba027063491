import { expect, test } from 'vitest';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import { createPromise } from '../profile/promise.ts';
import { completeAttributes } from './complete-attributes.ts';

const catalog = await catalogOfPackage();
const promise = createPromise(catalog, createEverythingProfile(catalog));

const derived = ['surface', 'family', 'accepted', 'keyPrefix', 'request'];

test('keeps every attribute of the vocabulary that is not derived', () => {
  const names = promise.attributes.names.filter((name) => !derived.includes(name));
  const given = Object.fromEntries(names.map((name) => [name, `own ${name}`]));
  expect(names.length).toBeGreaterThan(20);
  expect(completeAttributes(given, promise)).toMatchObject(given);
});
