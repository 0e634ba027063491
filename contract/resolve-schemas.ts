import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import type { JsonSchema, SchemaFile } from './compile-schema.ts';

/** The schemas of these files by name, with every reference resolved that is not part of a circle. Rejects if a reference has no target. */
export async function resolveSchemas(
  files: readonly SchemaFile[],
): Promise<Readonly<Record<string, JsonSchema>>> {
  const resolved: Record<string, JsonSchema> = {};
  for (const { name, file } of files) {
    resolved[name] = { ...(await $RefParser.dereference(file, { dereference: { circular: 'ignore' } })) };
  }
  return resolved;
}
