import { join } from 'node:path';
import { readDataFile } from '../../common/data-file.ts';
import { packageRoot } from '../../common/package-root.ts';
import { applyRulesToGateway } from '../apply-rules.ts';
import type { Setup } from '../combine-setups.ts';
import { validateWithSchema } from '../gateway/schemas.ts';
import { readSeed } from '../gateway/seed.ts';
import { isObject } from '../json.ts';
import type { Rule } from '../rules/rule.ts';
import { createRules } from '../rules/rules.ts';
import type { Fault } from './fault.ts';

/** A row of a file of faults: a fault that is one rule, several rules, or another profile, route or key. */
type FaultRow = Omit<Fault, 'setup'> &
  Partial<Rule> & {
    readonly rules?: readonly Rule[];
    readonly profile?: Setup['profile'];
    readonly routes?: Setup['extraOperations'];
    readonly seed?: Readonly<Record<string, unknown>>;
  };

const folder = join(packageRoot, 'reference-server', 'faults');

/** Reads the faults of a topic from its YAML file. Throws an error that names one invalid place of the file. */
export function readFaults(topic: string): readonly Fault[] {
  const file = `${topic}.yaml`;
  const { value } = readDataFile(join(folder, file));
  return validateWithSchema<readonly FaultRow[]>(file, 'faults', value).map((row) => {
    const { id, about, violates, match, change, profile, routes, seed } = row;
    const rules = row.rules ?? (change === undefined ? [] : [{ ...(match && { match }), change }]);
    return {
      id,
      about,
      violates,
      setup: () => ({
        ...(rules.length > 0 && applyRulesToGateway(createRules(rules))),
        ...(profile && { profile }),
        ...(routes && { extraOperations: routes }),
        ...(seed && { seed: validateWithSchema('seed', 'reference-gateway', merge(readSeed(), seed)) }),
      }),
    };
  });
}

/** Replaces members of an object, and members of the objects in it. */
function merge(below: unknown, above: unknown): unknown {
  if (!isObject(below) || !isObject(above)) return above;
  const merged = Object.entries(above).map(([name, value]) => [name, merge(below[name], value)]);
  return { ...below, ...Object.fromEntries(merged) };
}
