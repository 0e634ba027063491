import { validateWithSchema } from './gateway/schemas.ts';
import type { Rule } from './rules/rule.ts';

/** Validates rules and returns them. Throws an error that names one invalid place. */
export function readRules(value: unknown): readonly Rule[] {
  // The validator takes as long to load as the rest of a start of the gateway, which usually has no rules.
  if (Array.isArray(value) && value.length === 0) return [];
  return validateWithSchema('rules', 'rules', value);
}
