import { validated } from '../gateway/schemas.ts';
import type { ScriptRule } from './rule.ts';

/** The rules of a script. Throws an error that names the first place where the value does not have the form of a script. */
export function readScript(value: unknown): readonly ScriptRule[] {
  return validated('script', 'script', value);
}
