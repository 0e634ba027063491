import { join } from 'node:path';
import { readDataFile } from '../../common/data-file.ts';
import { packageRoot } from '../../common/package-root.ts';
import { applyRulesToGateway } from '../apply-rules.ts';
import type { Setup } from '../combine-setups.ts';
import { validateWithSchema } from '../gateway/schemas.ts';
import type { Rule } from '../rules/rule.ts';
import { createRules } from '../rules/rules.ts';
import type { Fault } from './fault.ts';

/** A row of a file of faults: a fault that is one rule, several rules, or another profile or route. */
type FaultRow = Omit<Fault, 'setup'> &
  Partial<Rule> & {
    readonly rules?: readonly Rule[];
    readonly profile?: Setup['profile'];
    readonly routes?: Setup['extraOperations'];
  };

const folder = join(packageRoot, 'reference-server', 'faults');

/** Reads the faults of a topic from its YAML file. Throws an error that names one invalid place of the file. */
export function readFaults(topic: string): readonly Fault[] {
  const file = `${topic}.yaml`;
  const { value } = readDataFile(join(folder, file));
  return validateWithSchema<readonly FaultRow[]>(file, 'faults', value).map((row) => {
    const { id, about, violates, match, change, profile, routes } = row;
    const rules = row.rules ?? (change === undefined ? [] : [{ ...(match && { match }), change }]);
    return {
      id,
      about,
      violates,
      setup: () => ({
        ...(rules.length > 0 && applyRulesToGateway(createRules(rules))),
        ...(profile && { profile }),
        ...(routes && { extraOperations: routes }),
      }),
    };
  });
}
