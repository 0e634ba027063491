import type { SchemaCheck } from '../compile-schema.ts';
import { held, makeCheck } from '../schemas.ts';
import type { ScriptRule } from './rule.ts';

let check: SchemaCheck<readonly ScriptRule[]> | undefined;

/** The rules of a value that has the form of a script file; throws an error that names the place where it has not. */
export function readScript(value: unknown): readonly ScriptRule[] {
  check ??= makeCheck('script');
  return held('script', check, value);
}
