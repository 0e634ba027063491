import { validateWithSchema } from '../gateway/schemas.ts';
import type { ScriptRule } from './rule.ts';

/** Returns the rules of a script if they are valid. Otherwise throws an error that names the first invalid place. */
export function readScript(value: unknown): readonly ScriptRule[] {
  return validateWithSchema('script', 'script', value);
}
