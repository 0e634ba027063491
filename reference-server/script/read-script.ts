import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../json.ts';
import { packageRoot } from '../package-root.ts';
import { checkerOf } from '../schemas.ts';
import type { ScriptRule } from './rule.ts';

let check: ((value: unknown) => readonly ScriptRule[]) | undefined;

/** The rules of a value that has the form of a script file; throws an error that names the place where it has not. */
export function readScript(value: unknown): readonly ScriptRule[] {
  check ??= checkerOf<readonly ScriptRule[]>('script', scriptSchema());
  return check(value);
}

function scriptSchema(): object {
  const file = join(packageRoot(), 'specs', 'schemas', 'script.schema.json');
  const schema: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isObject(schema)) throw new Error(`${file}: a JSON Schema must be an object`);
  return schema;
}
