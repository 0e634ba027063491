import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import type { JsonSchema, SchemaFile } from './compile-schema.ts';

/**
 * Resolves all references in these files, except circular references, and returns the schemas by name. Rejects
 * if a reference has no target.
 */
export async function resolveSchemas(
  files: readonly SchemaFile[],
): Promise<Readonly<Record<string, JsonSchema>>> {
  const resolved: Record<string, JsonSchema> = {};
  for (const { name, file } of files) {
    resolved[name] = { ...(await $RefParser.dereference(file, { dereference: { circular: 'ignore' } })) };
  }
  return resolved;
}
