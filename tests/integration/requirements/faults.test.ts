import { expect, test } from 'vitest';
import { formatSuggestion } from '../../../common/nearest.ts';
import { faults } from '../../../reference-server/index.ts';
import { catalogOfPackage } from '../../../runner/catalog/catalog.ts';

test('each fault violates requirements that exist', async () => {
  const { ledger } = await catalogOfPackage();
  const known = ledger.requirements.map(({ id }) => id);
  const unknown = faults.flatMap(({ id, violates }) =>
    violates
      .filter((requirement) => !known.includes(requirement))
      .map(
        (requirement) =>
          `${id}: unknown requirement "${requirement}".${formatSuggestion(requirement, known)}`,
      ),
  );
  expect(unknown).toEqual([]);
});
