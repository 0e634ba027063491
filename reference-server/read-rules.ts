import { findMistyped } from './rules/mistyped.ts';
import type { Rule } from './rules/rule.ts';
import { formatMemberPath, validateWithSchema } from './schemas.ts';

/**
 * Validates rules and returns them. Throws an error that names one invalid place. `createError` creates the error for a
 * mistyped name.
 */
export function readRules(
  value: unknown,
  createError: (path: readonly (string | number)[], problem: string) => Error = (path, problem) =>
    new Error(`rules: \`${formatMemberPath(`/${path.join('/')}`)}\`: ${problem}`),
): readonly Rule[] {
  // The validator takes as long to load as the rest of a start of the gateway, which usually has no rules.
  if (Array.isArray(value) && value.length === 0) return [];
  const rules: readonly Rule[] = validateWithSchema('rules', 'rules', value);
  const found = findMistyped(rules);
  if (found) throw createError(found.path, `unknown name "${found.name}". Did you mean "${found.meant}"?`);
  return rules;
}
