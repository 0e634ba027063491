import { describe, expect, test } from 'vitest';
import { parseDataFile } from '../../contract/data-file.ts';
import { loadCatalog } from '../catalog/catalog.ts';
import { readScenarios } from '../catalog/scenarios.ts';
import { createEverythingProfile } from '../profile/everything-profile.ts';
import { selectCovering } from './expand-axes.ts';
import { listCandidates } from './plan.ts';

const catalog = await loadCatalog();
const profile = createEverythingProfile(catalog);
const before = ['unknown', 'truncated', 'suffixed'];
const after = ['altered', 'unknown', 'truncated', 'suffixed', 'deleted'];

/** Selects the cases with a wrong key, after a release that selected those with the ends `presets`. */
function select(keys: readonly string[], presets: readonly string[] = []): string[] {
  const text = `about: S
scenarios:
  - id: a
    about: A.
    each:
      operation: [all-but-internal-error]
      header: [any, documented]
      key: [${keys.join(', ')}]
      streamed: [both]
    where: { accepted: true }
    combine: []`;
  const file = parseDataFile('s.yaml', text);
  const [scenario] = readScenarios('s', file, catalog.schemas, catalog.attributes, { 's/a': presets });
  if (!scenario) throw new Error('no scenario');
  return selectCovering(listCandidates(scenario, catalog, profile), scenario).map(({ id }) => id.slice(4));
}

describe('the cases of the last release', () => {
  const released = select(before);
  test('stay the same if no value was added', () => {
    expect(select(before, released)).toEqual(released);
  });
  test('are all kept if values were added anywhere, although the selection would otherwise change', () => {
    expect(released.filter((id) => !select(after).includes(id))).not.toEqual([]);
    expect(released.filter((id) => !select(after, released).includes(id))).toEqual([]);
  });
  test('need few additional cases', () => {
    expect(select(after, released).length).toBeLessThan(select(after).length * 1.2);
  });
  test('that no longer exist are ignored', () => {
    expect(select(before, ['operation=chat/key=removed', ...released])).toEqual(released);
  });
});
