import { validateWithSchema } from '../gateway/schemas.ts';
import type { ScriptRule } from './rule.ts';

/**
 * Validates a script and returns its rules. Throws an error that names one invalid place if the script is invalid.
 */
export function readScript(value: unknown): readonly ScriptRule[] {
  return validateWithSchema('script', 'script', value);
}
