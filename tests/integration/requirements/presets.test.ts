import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { list, mapping } from '../../../contract/mapping.ts';
import { packageRoot } from '../../../contract/package-root.ts';
import { loadCatalog } from '../../../runner/catalog/catalog.ts';
import { selectCovering } from '../../../runner/plan/expand-axes.ts';
import { listCandidates, plan } from '../../../runner/plan/plan.ts';
import { createEverythingProfile } from '../../../runner/profile/everything-profile.ts';

const file = join(packageRoot, 'suites/presets.json');
const catalog = await loadCatalog();
const profile = createEverythingProfile(catalog);

/** Lists the ends of the ids of the selected cases, by scenario. */
function listSelected(): Readonly<Record<string, readonly string[]>> {
  const entries = catalog.scenarios.flatMap((scenario) => {
    const candidates = scenario.combine ? listCandidates(scenario, catalog, profile) : [];
    const selected = selectCovering(candidates, scenario);
    const prefix = `${scenario.suite}/${scenario.id}`;
    return selected.length === 0 ? [] : [[prefix, selected.map(({ id }) => id.slice(prefix.length + 1))]];
  });
  return Object.fromEntries(entries);
}

test('a default run has every case of the last release, in suites/presets.json', () => {
  if (process.env.UPDATE_PRESETS) writeFileSync(file, `${JSON.stringify(listSelected(), undefined, 1)}\n`);
  const planned = new Set(plan(catalog, profile).cases.map(({ id }) => id));
  const presets = Object.entries(mapping(JSON.parse(readFileSync(file, 'utf8')))).flatMap(([prefix, ends]) =>
    list(ends).map((end) => `${prefix}/${end}`),
  );
  expect(presets.length).toBeGreaterThan(100);
  expect(presets.filter((id) => !planned.has(id))).toEqual([]);
});
