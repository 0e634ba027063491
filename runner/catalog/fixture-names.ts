import type { DataFile } from '../../common/data-file.ts';
import { formatSuggestionOrList } from '../../common/nearest.ts';
import type { Attributes } from './condition.ts';
import type { Fixtures } from './fixtures.ts';
import type { Scenario } from './scenarios.ts';

type NamedFixtures = Pick<Fixtures, 'bodies' | 'types' | 'unparseable' | 'leftOpen' | 'unlistedModels'>;

/** The values of `given` that need no fixture. */
const ownForms = ['none', 'escaped', 'nothing', 'other-case'];
/** Values that contain the valid body, for a body that is not an object. */
export const wrappedForms = ['body-in-list', 'body-as-text'] as const;

/**
 * Throws a `DataFileError` if a scenario names a body, or a value of `given`, that `fixtures/` does not have. These
 * attributes accept any text, so that generated requests can have values of their own.
 */
export function checkFixtureNames(
  file: DataFile,
  scenarios: readonly Pick<Scenario, 'send' | 'axes' | 'steps' | 'derive'>[],
  fixtures: NamedFixtures,
): void {
  const bodies = Object.keys(fixtures.bodies);
  for (const [index, { send, axes, steps, derive }] of scenarios.entries()) {
    const parts = [
      { path: ['send'], attributes: send },
      ...axes.flatMap(({ name, values }) =>
        values.map((value) => ({ path: ['each', name, value.name], attributes: value.attributes })),
      ),
      ...steps.map(({ attributes }, step) => ({ path: ['steps', step], attributes })),
    ];
    const valuesOf = (own: Attributes, name: string): string[] =>
      own[name] !== undefined ? [own[name]] : parts.flatMap(({ attributes }) => attributes[name] ?? []);
    const check = (path: readonly (string | number)[], name: string, known: readonly string[]): void => {
      if (known.includes(name)) return;
      throw file.error(
        ['scenarios', index, ...path],
        `fixtures/ has no "${name}" for this place.${formatSuggestionOrList(name, known)}`,
      );
    };
    for (const { path, attributes } of parts) {
      const { body, given } = attributes;
      if (body !== undefined) check([...path, 'body'], body, ['none', ...bodies]);
      const models = valuesOf(attributes, 'model');
      if (given === undefined || models.includes('alias')) continue;
      check([...path, 'given'], given, [
        ...ownForms,
        ...(models.includes('unlisted') ? Object.keys(fixtures.unlistedModels) : []),
        ...valuesOf(attributes, 'fault').flatMap((fault) => listForms(fault, fixtures)),
      ]);
    }
    for (const [position, body] of (derive?.from ?? []).entries())
      check(['derive', 'from', position], body, bodies);
  }
}

/** Returns the values of `given` for a value of `fault`. */
function listForms(fault: string, { bodies, types, unparseable, leftOpen }: NamedFixtures): string[] {
  switch (fault) {
    case 'wrong-type':
      return Object.keys(types);
    case 'non-object':
      return [...Object.keys(types), ...wrappedForms];
    case 'unparseable':
      return Object.keys(unparseable);
    case 'left-open':
      return Object.keys(leftOpen);
    case 'image':
      return Object.keys(bodies).flatMap((name) => name.split('-image-')[1] ?? []);
    default:
      return [];
  }
}
