import type { Comparison } from './comparison.ts';

/** The comparison itself; `specs/schemas/comparison.schema.json` is its schema. */
export function json(comparison: Comparison): string {
  return `${JSON.stringify(comparison, null, 2)}\n`;
}
