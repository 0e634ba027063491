import { join } from 'node:path';
import { packageRoot } from '../common/package-root.ts';
import { applyRulesToGateway } from './apply-rules.ts';
import { noteForAll } from './causes.ts';
import { combineSetups, type Setup } from './combine-setups.ts';
import { readSeed } from './gateway/seed.ts';
import { isObject } from './json.ts';
import type { Origin } from './origin.ts';
import type { Rule } from './rules/rule.ts';
import { createRules } from './rules/rules.ts';
import { readValidFile, validateWithSchema } from './schemas.ts';

/** What a row of a file of faults or variants changes: one rule, several rules, the profile, routes or the seed. */
export type SetupRow = Partial<Rule> & {
  readonly rules?: readonly Rule[];
  readonly profile?: Readonly<Record<string, unknown>>;
  readonly routes?: Setup['extraOperations'];
  readonly seed?: Readonly<Record<string, unknown>>;
};

/** Reads the faults or variants of a topic from its YAML file. Throws a `DataFileError` if the file is invalid. */
export function readSetupRows<About>(
  kind: 'faults' | 'variants',
  topic: string,
): readonly (About & SetupRow)[] {
  return readValidFile(join(packageRoot, 'reference-server', kind, `${topic}.yaml`), kind);
}

/** Returns a function that creates the setup of a row. By default, the row itself is the origin of its changes. */
export const setupOf =
  (own: Origin, { match, change, rules, profile, routes, seed }: SetupRow): ((origin?: Origin) => Setup) =>
  (origin = own) => {
    const all = rules ?? (change === undefined ? [] : [{ ...(match && { match }), change }]);
    const ruled = all.length > 0 ? applyRulesToGateway(createRules(all), () => origin) : {};
    // Without rules, the gateway is another for all requests.
    const noted =
      (profile ?? routes ?? seed) === undefined ? ruled : combineSetups([ruled, noteForAll(origin)]);
    return {
      ...noted,
      origins: [origin],
      ...(profile && { profile: removeMarked(profile) }),
      ...(routes && { extraOperations: routes }),
      ...(seed && { seed: validateWithSchema('seed', 'reference-gateway', merge(readSeed(), seed)) }),
    };
  };

/** Replaces `{ remove: true }` by undefined, which removes a property of the profile. */
function removeMarked(profile: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(profile).map(([name, value]) => {
      if (!isObject(value)) return [name, value];
      return [name, value.remove === true ? undefined : removeMarked(value)];
    }),
  );
}

/** Replaces members of an object, and members of the objects in it. */
function merge(below: unknown, above: unknown): unknown {
  if (!isObject(below) || !isObject(above)) return above;
  const merged = Object.entries(above).map(([name, value]) => [name, merge(below[name], value)]);
  return { ...below, ...Object.fromEntries(merged) };
}
