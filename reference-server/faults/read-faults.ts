import { join } from 'node:path';
import { readDataFile } from '../../common/data-file.ts';
import { packageRoot } from '../../common/package-root.ts';
import type { KeyRole } from '../../common/profile-values.ts';
import { applyRulesToGateway } from '../apply-rules.ts';
import type { Setup } from '../combine-setups.ts';
import { validateWithSchema } from '../gateway/schemas.ts';
import { readSeed, type Seed } from '../gateway/seed.ts';
import type { Rule } from '../rules/rule.ts';
import { createRules } from '../rules/rules.ts';
import type { Fault } from './fault.ts';

/** A row of a file of faults: a fault that is one rule, several rules, or another profile, route or key. */
type FaultRow = Omit<Fault, 'setup'> &
  Partial<Rule> & {
    readonly rules?: readonly Rule[];
    readonly profile?: Setup['profile'];
    readonly routes?: Setup['extraOperations'];
    readonly seed?: { readonly keys: Partial<Readonly<Record<KeyRole, string>>> };
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
        ...(seed && { seed: replaceKeys(seed.keys) }),
      }),
    };
  });
}

function replaceKeys(values: Partial<Readonly<Record<KeyRole, string>>>): Seed {
  const seed = readSeed();
  const replaced = (role: KeyRole) => ({ ...seed.keys[role], key: values[role] ?? seed.keys[role].key });
  return {
    ...seed,
    keys: {
      valid: replaced('valid'),
      deleted: replaced('deleted'),
      depleted: replaced('depleted'),
      foreign: replaced('foreign'),
    },
  };
}
