import { beforeAll, expect, test } from 'vitest';
import { type Catalog, catalogOfPackage } from '../catalog/catalog.ts';
import { sectionOf } from './clauses.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await catalogOfPackage();
});

test('lists every requirement in a section with a title', () => {
  const sections = catalog.ledger.requirements.map(({ clause }) => sectionOf(clause.join('; ')));
  expect(new Set(sections).size).toBeGreaterThan(5);
  const known = catalog.sections.map(({ number }) => number);
  expect(sections.filter((section) => !known.includes(section))).toEqual([]);
});

test.each([
  ['5 rule 2; 7.1', '5'],
  ['7.1 401 invalid_api_key', '7.1'],
  ['2.4', '2.4'],
  ['appendix', 'appendix'],
])('assigns %s to section %s', (clause, section) => {
  expect(sectionOf(clause)).toBe(section);
});
