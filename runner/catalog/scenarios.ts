import type { DataFile } from '../../common/data-file.ts';
import { toList } from '../../common/mapping.ts';
import { formatSuggestionOrList } from '../../common/nearest.ts';
import type { SetupAction } from '../../common/profile-values.ts';
import type { Schemas } from '../../common/schemas.ts';
import { readBySchema } from '../../common/validate-data.ts';
import { type AttributeVocabulary, resolveValueSets } from './attributes.ts';
import { type Attributes, type Condition, parseCondition } from './condition.ts';

/** The phases of a run, in order. */
export const phases = [
  'controls',
  'requests',
  'lifecycle',
  'bad-keys',
  'burst',
  'firewall',
  'pooled',
] as const;
export type Phase = (typeof phases)[number];

/**
 * The phases that send wrong keys, in order. Wrong keys can cause the gateway, or a firewall in front of the gateway,
 * to block the address of this machine.
 */
export const wrongKeyPhases: readonly Phase[] = ['lifecycle', 'bad-keys'];

/** One value of an axis, with its name in case IDs and the attributes that the value sets. */
export interface AxisValue {
  readonly name: string;
  readonly attributes: Attributes;
}

/** An attribute that a scenario varies (`each`), or a named group of attributes that vary together. */
export interface Axis {
  readonly name: string;
  readonly values: readonly AxisValue[];
}

/** Bodies with one invalid part each, derived from valid bodies and a request schema. */
export interface Derivation {
  /** The name of the request schema. */
  readonly schema: string;
  /** The names of the valid bodies in `fixtures/bodies.yaml`. */
  readonly from: readonly string[];
  /** Conditions for bodies to omit. The specification leaves the response to these bodies open. */
  readonly except: readonly Condition[];
}

/** One request of a case. `attributes` contains only the attributes that the step itself sets. */
export interface ScenarioStep {
  readonly attributes: Attributes;
  /** Whether the step is a control. A control must succeed before the later steps are sent, and is not judged. */
  readonly control: boolean;
  /** The change to make at the gateway before the request is sent. */
  readonly before?: GatewayChange | undefined;
}

/**
 * A change of keys or balances that the profile describes in `setup`, such as the deletion of a key. `during` is the
 * number of concurrent senders that send requests during the change.
 */
export interface GatewayChange {
  readonly action: SetupAction;
  readonly during: number;
}

/**
 * A description of requests: the attributes to send (`send`), and the axes along which the requests vary. A scenario
 * does not describe expected responses.
 */
export interface Scenario {
  readonly id: string;
  readonly suite: string;
  readonly about: string;
  readonly phase: Phase;
  readonly axes: readonly Axis[];
  readonly where: Condition | undefined;
  /**
   * Groups of axis names. A default run covers every combination of the values of each group, and every pair of values
   * of any two axes. If undefined, a default run has every combination of all axes.
   */
  readonly combine: readonly (readonly string[])[] | undefined;
  /**
   * The IDs of the cases of a default run, without the names of the suite and the scenario; undefined if a default run
   * has all cases.
   */
  readonly defaultCases: ReadonlySet<string> | undefined;
  readonly send: Attributes;
  readonly derive: Derivation | undefined;
  readonly steps: readonly ScenarioStep[];
  /**
   * The number of times that the steps are sent. The repetitions are sent concurrently after the first response. If the
   * first response is a success, no repetition is sent. If `overlapping` is true, all requests are sent concurrently.
   */
  readonly times: number;
  /** Whether the cases are sent after the other cases of their phase, concurrently with all overlapping cases. */
  readonly overlapping: boolean;
  /**
   * If `times` is 1: whether each case is sent alone, after the concurrent cases of its phase and before the
   * overlapping cases. If `times` is greater than 1: whether the repetitions are sent after the other concurrent
   * requests.
   */
  readonly alone: boolean;
  /**
   * The exchanges that the pooled cases of the scenario judge: those of each operation, or all exchanges of the run.
   * Undefined for a scenario that sends requests.
   */
  readonly pool: 'operation' | 'run' | undefined;
}

/**
 * Parses a suite file. `defaultCases` lists the cases of a default run by scenario ID (`SUITE/SCENARIO`). Throws a
 * `DataFileError`, with the line of the problem, if the file is invalid.
 */
export function readScenarios(
  suite: string,
  file: DataFile,
  schemas: Schemas,
  attributes: AttributeVocabulary,
  defaultCases: Readonly<Record<string, unknown>> = {},
): Scenario[] {
  const raw: { scenarios: RawScenario[] } = readBySchema(file, 'scenario', schemas);
  const ids = new Set<string>();
  return raw.scenarios.map((scenario, index) => {
    if (ids.has(scenario.id))
      throw file.error(
        ['scenarios', index, 'id'],
        `the scenario "${scenario.id}" is defined twice. Rename or remove one of the two.`,
      );
    ids.add(scenario.id);
    return readScenario(scenario, (path, message) => file.error(['scenarios', index, ...path], message));
  });

  function readScenario(
    scenario: RawScenario,
    fail: (path: (string | number)[], problem: string) => Error,
  ): Scenario {
    const validate = (path: (string | number)[], given: Record<string, unknown>): Attributes => {
      const entries = Object.entries(given).map(([name, value]) => [name, String(value)] as const);
      for (const [name, value] of entries) {
        const complaint = value === 'limited' ? undefined : attributes.complaint(name, value);
        if (complaint !== undefined) throw fail([...path, name], complaint);
      }
      return Object.fromEntries(entries);
    };
    const axes = Object.entries(scenario.each ?? {}).map(
      ([name, values]): Axis => ({
        name,
        values: Array.isArray(values)
          ? values
              .flatMap((value) => attributes.valuesOf(name, String(value)))
              .map((value) => ({ name: value, attributes: validate(['each'], { [name]: value }) }))
          : Object.entries(values).map(([key, value]) => ({
              name: key,
              attributes: validate(['each', name, key], value),
            })),
      }),
    );
    const readCondition = (value: unknown, ...path: (string | number)[]): Condition => {
      const parsed = parseCondition(value, (inner, message) => fail([...path, ...inner], message));
      return resolveValueSets(parsed, attributes, (message) => fail(path, message));
    };
    const { derive, combine = [] } = scenario;
    const names = [...axes.map(({ name }) => name), ...(derive ? ['body'] : [])];
    for (const [index, group] of combine.entries()) {
      const unknown = group.find((name) => !names.includes(name));
      if (unknown !== undefined)
        throw fail(
          ['combine', index],
          `the scenario has no axis "${unknown}".${formatSuggestionOrList(unknown, names)}`,
        );
    }
    if (derive && !schemas.names.includes(derive.schema))
      throw fail(
        ['derive', 'schema'],
        `the schema "${derive.schema}" does not exist. Use the name of a schema in specs/schemas.`,
      );
    const ends = scenario.combine ? defaultCases[`${suite}/${scenario.id}`] : undefined;
    return {
      id: scenario.id,
      suite,
      about: scenario.about,
      phase: scenario.phase ?? 'requests',
      axes,
      where: scenario.where && readCondition(scenario.where, 'where'),
      combine: scenario.combine,
      defaultCases: ends === undefined ? undefined : new Set(toList(ends).map(String)),
      send: validate(['send'], scenario.send ?? {}),
      derive: derive && {
        schema: derive.schema,
        from: derive.from,
        except: (derive.except ?? []).map((item, index) => readCondition(item, 'derive', 'except', index)),
      },
      steps: (scenario.steps ?? [{}]).map(({ control, do: action, during = 0, ...given }, index) => ({
        attributes: validate(['steps', index], given),
        control: control === true,
        before: action && { action, during },
      })),
      times: scenario.times ?? 1,
      overlapping: scenario.overlapping ?? false,
      alone: scenario.alone ?? false,
      pool: scenario.pool,
    };
  }
}

interface RawScenario {
  id: string;
  about: string;
  phase?: Phase;
  each?: Record<string, unknown[] | Record<string, Record<string, unknown>>>;
  where?: Record<string, unknown>;
  combine?: string[][];
  send?: Record<string, unknown>;
  derive?: { schema: string; from: string[]; except?: Record<string, unknown>[] };
  steps?: ({ control?: boolean; do?: SetupAction; during?: number } & Record<string, unknown>)[];
  times?: number;
  overlapping?: boolean;
  alone?: boolean;
  pool?: 'operation' | 'run';
}
