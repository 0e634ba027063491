import { expect, test } from 'vitest';
import { parseDataFile } from '../../common/data-file.ts';
import { catalogOfPackage } from '../catalog/catalog.ts';
import { readRequirements } from '../catalog/requirements.ts';
import { readScenarios } from '../catalog/scenarios.ts';
import { plan } from '../plan/plan.ts';
import { createPromise } from '../profile/promise.ts';
import { parseProfile } from '../profile/read-profile.ts';
import { countMissing, findTestable } from './format-draft.ts';

const real = await catalogOfPackage();
const suite = parseDataFile(
  's.yaml',
  `about: S
scenarios:
  - { id: judged, about: A., send: { operation: chat } }
  - { id: unjudged, about: A., send: { operation: models } }
  - { id: lacking, about: A., send: { operation: chat, key: deleted } }
`,
);
const requirementsFile = parseDataFile(
  'l.yaml',
  `requirements:
  - { id: a/good, clause: ['1'], level: must, says: It., when: { surface: model, key: good }, then: { status: 400 } }
  - { id: a/deleted, clause: ['1'], level: must, says: It., when: { key: deleted }, then: { status: 401 } }
`,
);

test.each([
  [{}, ['s/judged'], ['a/good']],
  [{ deleted: 'sk-d' }, ['s/judged', 's/lacking'], ['a/good', 'a/deleted']],
])('with the additional keys %j, cases %j and requirements %j can be tested', (more, cases, requirements) => {
  const catalog = {
    ...real,
    scenarios: readScenarios('s', suite, real.schemas, real.attributes),
    ledger: readRequirements([requirementsFile], real.attributes, real.schemas),
  };
  const profile = parseProfile({ baseUrl: 'http://x', keys: { valid: 'sk-a', ...more } }, catalog);
  const judged = findTestable(plan(createPromise(catalog, profile)), profile);
  expect([...judged.cases]).toEqual(cases);
  expect([...judged.requirements]).toEqual(requirements);
});

test.each([
  [['a', 'b', 'c'], ['b'], 2],
  [['a'], ['a', 'b'], 0],
  [[], ['a'], 0],
])('counts the items of %j that are missing in %j: %i', (all, some, expected) => {
  expect(countMissing(new Set(all), new Set(some))).toBe(expected);
});
