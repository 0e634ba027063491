import { join } from 'node:path';
import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import type { JsonSchema } from './prebuilt.ts';

/** The schemas of these files of a folder by name, with every reference replaced by what it refers to; rejects where there is no such thing. */
export async function resolveSchemas(
  folder: string,
  files: readonly { readonly name: string; readonly file: string }[],
): Promise<Readonly<Record<string, JsonSchema>>> {
  const resolved: Record<string, JsonSchema> = {};
  for (const { name, file } of files) {
    resolved[name] = { ...(await $RefParser.dereference(join(folder, file))) };
  }
  return resolved;
}
