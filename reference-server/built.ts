import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SchemaCheck } from './compile-schema.ts';
import { packageRoot } from './package-root.ts';

const built = join(packageRoot(), 'dist');
/** Sources that run as they are, as in tests, make everything themselves. */
const isBuilt = fileURLToPath(import.meta.url).startsWith(built);
const load = createRequire(import.meta.url);

/** What was built of the text of a file. */
export type Built<T> = { readonly text: string; readonly value: T };

/** The check of the schema in that file, where the build knew this text of it. */
export function builtCheck<T>(name: string, text: string): SchemaCheck<T> | undefined {
  const file = pathOf(`${name}.cjs`);
  if (!isBuilt || !existsSync(file)) return undefined;
  const built: Built<SchemaCheck<T>> = load(file);
  return built.text === text ? built.value : undefined;
}

/** The value of the YAML file, where the build knew this text of it. */
export function builtValue<T>(name: string, text: string): T | undefined {
  const file = pathOf(`${name}.json`);
  if (!isBuilt || !existsSync(file)) return undefined;
  const built: Built<T> = JSON.parse(readFileSync(file, 'utf8'));
  return built.text === text ? built.value : undefined;
}

function pathOf(name: string): string {
  return join(built, 'built', 'reference-server', name);
}
