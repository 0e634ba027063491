import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { SchemaCheck } from './compile-schema.ts';

// Beside what is built of the sources; where the sources run themselves, nothing is there.
const folder = new URL('../built/reference-server/', import.meta.url);
const load = createRequire(import.meta.url);

/** What was built of the text of a file. */
export type Built<T> = { readonly text: string; readonly value: T };

/** The check of the schema in that file, where the build knew this text of it. */
export function builtCheck<T>(name: string, text: string): SchemaCheck<T> | undefined {
  const file = pathOf(`${name}.cjs`);
  if (!existsSync(file)) return undefined;
  const built: Built<SchemaCheck<T>> = load(file);
  return built.text === text ? built.value : undefined;
}

/** The value of the YAML file, where the build knew this text of it. */
export function builtValue<T>(name: string, text: string): T | undefined {
  const file = pathOf(`${name}.json`);
  if (!existsSync(file)) return undefined;
  const built: Built<T> = JSON.parse(readFileSync(file, 'utf8'));
  return built.text === text ? built.value : undefined;
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, folder));
}
