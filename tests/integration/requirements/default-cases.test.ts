import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../common/package-root.ts';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { listCandidates } from '../../../runner/plan/expand-axes.ts';
import { createEverythingProfile } from '../../../runner/profile/everything-profile.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { selectCovering } from '../../support/select-covering.ts';

const file = join(packageRoot, 'suites/default-cases.json');
const catalog = await catalogOfPackage();
const promise = createPromise(catalog, createEverythingProfile(catalog));

/** Lists the ends of the IDs of the selected cases, by scenario. */
function listSelected(): Readonly<Record<string, readonly string[]>> {
  const entries = catalog.scenarios.flatMap((scenario) => {
    if (!scenario.combine) return [];
    const candidates = listCandidates(scenario, promise);
    const selected = selectCovering(candidates, scenario, catalog.operations);
    const prefix = `${scenario.suite}/${scenario.id}`;
    return [[prefix, selected.map(({ id }) => id.slice(prefix.length + 1))]];
  });
  return Object.fromEntries(entries);
}

test('suites/default-cases.json has the current selection (`npm run default-cases` updates the file)', () => {
  const text = `${JSON.stringify(listSelected(), undefined, 1)}\n`;
  if (process.env.UPDATE_DEFAULT_CASES) writeFileSync(file, text);
  expect(readFileSync(file, 'utf8')).toBe(text);
});
