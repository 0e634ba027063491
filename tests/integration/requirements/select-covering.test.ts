import { describe, expect, test } from 'vitest';
import { parseDataFile } from '../../../common/data-file.ts';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';
import { readScenarios } from '../../../runner/catalog/scenarios.ts';
import { listCandidates } from '../../../runner/plan/expand-axes.ts';
import { createEverythingProfile } from '../../../runner/profile/everything-profile.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { selectCovering } from '../../generated/select-covering.ts';

const catalog = await catalogOfPackage();
const promise = createPromise(catalog, createEverythingProfile(catalog));
const before = ['unknown', 'truncated', 'suffixed'];
const after = ['altered', 'unknown', 'truncated', 'suffixed', 'deleted'];

/** Selects cases with these keys. `selected` contains the ends of the IDs of the cases that were selected before. */
function select(keys: readonly string[], selected: readonly string[] | undefined = undefined): string[] {
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
  const [scenario] = readScenarios('s', file, catalog.schemas, catalog.attributes, { 's/a': selected });
  if (!scenario) throw new Error('no scenario');
  const candidates = listCandidates(scenario, promise);
  return selectCovering(candidates, scenario, catalog.operations).map(({ id }) => id.slice(4));
}

describe('the cases that were selected before', () => {
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
