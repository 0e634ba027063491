import { validateWithSchema } from './gateway/schemas.ts';
import type { Rule } from './rules/rule.ts';

/** Validates rules and returns them. Throws an error that names one invalid place. */
export function readRules(value: unknown): readonly Rule[] {
  return validateWithSchema('rules', 'rules', value);
}
