import { validateWithSchema } from '../gateway/schemas.ts';
import type { ScriptRule } from './rule.ts';

/** Validates the rules of a script. Throws an error that names the first invalid place. */
export function readScript(value: unknown): readonly ScriptRule[] {
  return validateWithSchema('script', 'script', value);
}
