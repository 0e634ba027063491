import { $RefParser } from '@apidevtools/json-schema-ref-parser';
import type { JsonSchema, SchemaFile } from './compile-schema.ts';

/**
 * Returns the schemas of these files by name, with all references resolved except circular references. Rejects if a
 * file cannot be read or parsed, or if a reference has no target.
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
