import type { Catalog } from '../catalog/catalog.ts';
import { matchesModel } from '../catalog/fixtures.ts';
import { wholeTest } from '../catalog/glob.ts';
import { suggestion } from '../catalog/nearest.ts';
import {
  type ModelOperation,
  type ModelRole,
  modelOperations,
  type Profile,
  UsageError,
} from '../profile/profile.ts';
import { oneLine } from '../report/one-line.ts';

/** A listed model that is to be judged. */
export interface ChosenModel {
  readonly id: string;
  /** The operations that its protocol may fit, by what the profile states and else by its ID. */
  readonly operations: readonly ModelOperation[];
  /** Those of them that the profile states to take it. */
  readonly stated: readonly ModelOperation[];
}

const takes: Readonly<Record<ModelRole, boolean>> = {
  good: true,
  textOnly: true,
  unsupported: false,
  mismatched: false,
};

/** The listed models that a pattern matches, in the order of the list; throws UsageError where one matches none. */
export function chooseModels(
  listed: readonly string[],
  patterns: readonly string[],
  { fixtures }: Pick<Catalog, 'fixtures'>,
  profile: Profile,
): ChosenModel[] {
  const tests = patterns.map((pattern) => (pattern === 'all' ? () => true : wholeTest(pattern)));
  for (const [index, test] of tests.entries()) {
    const pattern = patterns[index] ?? '';
    if (!listed.some(test)) {
      const shown = listed.map((id) => oneLine(id, longestName));
      const hint = suggestion(pattern, shown) || beginning(shown);
      throw new UsageError(`Of ${listed.length} listed models, none matches "${pattern}".${hint}`);
    }
  }
  return listed
    .filter((id) => tests.some((test) => test(id)))
    .map((id) => {
      const roles = modelOperations.flatMap((operation) => {
        const models = profile.models[operation];
        const stated = (Object.keys(takes) as ModelRole[]).filter((role) => models[role] === id);
        return stated.length === 0 ? [] : [{ operation, fits: stated.some((role) => takes[role]) }];
      });
      const stated = roles.filter(({ fits }) => fits).map(({ operation }) => operation);
      const refused = roles.filter(({ fits }) => !fits).map(({ operation }) => operation);
      const guessed = guess(id, fixtures.discovery).filter((operation) => !refused.includes(operation));
      return {
        id,
        operations: modelOperations.filter((operation) => [...stated, ...guessed].includes(operation)),
        stated,
      };
    });
}

/** A longer name is cut where it is only an example. */
const longestName = 100;

function beginning(listed: readonly string[]): string {
  return listed.length === 0 ? '' : ` The first are ${listed.slice(0, 5).join(', ')}.`;
}

function guess(id: string, { avoid, fits }: Catalog['fixtures']['discovery']): readonly ModelOperation[] {
  if (matchesModel(avoid, id)) return [];
  const names = fits.find((entry) => matchesModel(entry.id, id))?.operations ?? [];
  return modelOperations.filter((operation) => names.includes(operation));
}
