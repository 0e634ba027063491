import type { DataFile } from '../../contract/data-file.ts';
import { list } from '../../contract/mapping.ts';
import { suggestion } from '../../contract/nearest.ts';
import type { SetupAction } from '../../contract/profile-values.ts';
import type { Schemas } from '../../contract/schemas.ts';
import { type AttributeVocabulary, resolveValueSets } from './attributes.ts';
import { type Attributes, type Condition, parseCondition } from './condition.ts';
import { readBySchema } from './validate-data.ts';

/** The phases of a run in their order. */
export const phases = ['controls', 'requests', 'lifecycle', 'bad-keys', 'burst', 'pooled'] as const;
export type Phase = (typeof phases)[number];

/**
 * The phases with wrong keys, in their order. After the last of these phases, a guard in front of the gateway
 * may have locked out the address of this machine.
 */
export const wrongKeyPhases: readonly Phase[] = ['lifecycle', 'bad-keys'];

/** One value on an axis: its name in case ids, and the attributes that it sets. */
export interface AxisValue {
  readonly name: string;
  readonly attributes: Attributes;
}

export interface Axis {
  readonly name: string;
  readonly values: readonly AxisValue[];
}

/** Bodies with one fault each, derived from a request schema. */
export interface Derivation {
  readonly schema: string;
  /** The fixtures that get the faults. */
  readonly from: readonly string[];
  /** The conditions of cases that are omitted because the specification leaves them open. */
  readonly except: readonly Condition[];
}

/** One request of a case, with the attributes that differ from those of the case. */
export interface ScenarioStep {
  readonly attributes: Attributes;
  /** Whether the step is a control: it must succeed before the case is judged, and is not judged itself. */
  readonly control: boolean;
  /** The change that is made at the gateway before the request. */
  readonly before?: GatewayChange | undefined;
}

/**
 * A change for which the profile states a call, such as the deletion of a key. `during` is the number of
 * requests that are under way when the change is made.
 */
export interface GatewayChange {
  readonly action: SetupAction;
  readonly during: number;
}

/** The requests to send, and the axes over which they vary. */
export interface Scenario {
  readonly id: string;
  readonly suite: string;
  readonly about: string;
  readonly phase: Phase;
  readonly axes: readonly Axis[];
  readonly where: Condition | undefined;
  /**
   * Axes of which every combination is sent, in addition to every pair of values of any two axes. Undefined if
   * every combination of all axes is sent.
   */
  readonly combine: readonly (readonly string[])[] | undefined;
  /** The ends of the ids of the cases that a default run has; undefined for all. */
  readonly defaultCases: ReadonlySet<string> | undefined;
  readonly send: Attributes;
  readonly derive: Derivation | undefined;
  readonly steps: readonly ScenarioStep[];
  /** The number of times that the request is sent: once first, then the remaining times concurrently. */
  readonly times: number;
  /** Whether the cases are sent after the others of their phase, concurrently with all overlapping cases. */
  readonly overlapping: boolean;
  /** Whether a case is sent after the others of its phase, without requests of other cases in between. */
  readonly alone: boolean;
  /** Set for a scenario that sends nothing and judges the exchanges of an operation or of the run. */
  readonly pool: 'operation' | 'run' | undefined;
}

/**
 * Reads a suite file, with the cases of a default run by the ids of their scenarios. Throws DataFileError with the line of the
 * first problem.
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
      throw file.error(['scenarios', index, 'id'], `the scenario "${scenario.id}" is defined twice`);
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
    const condition = (value: unknown, ...path: (string | number)[]): Condition => {
      const parsed = parseCondition(value, (inner, message) => fail([...path, ...inner], message));
      return resolveValueSets(parsed, attributes, (message) => fail(path, message));
    };
    const { derive, combine = [] } = scenario;
    const names = [...axes.map(({ name }) => name), ...(derive ? ['body'] : [])];
    for (const [index, group] of combine.entries()) {
      const unknown = group.find((name) => !names.includes(name));
      if (unknown !== undefined)
        throw fail(['combine', index], `the scenario has no axis "${unknown}".${suggestion(unknown, names)}`);
    }
    if (derive && !schemas.names.includes(derive.schema))
      throw fail(['derive', 'schema'], `there is no schema "${derive.schema}".`);
    const ends = scenario.combine ? defaultCases[`${suite}/${scenario.id}`] : undefined;
    return {
      id: scenario.id,
      suite,
      about: scenario.about,
      phase: scenario.phase ?? 'requests',
      axes,
      where: scenario.where && condition(scenario.where, 'where'),
      combine: scenario.combine,
      defaultCases: ends === undefined ? undefined : new Set(list(ends).map(String)),
      send: validate(['send'], scenario.send ?? {}),
      derive: derive && {
        schema: derive.schema,
        from: derive.from,
        except: (derive.except ?? []).map((item, index) => condition(item, 'derive', 'except', index)),
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

/** A scenario of a file that conforms to `specs/schemas/scenario.schema.json`. */
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
