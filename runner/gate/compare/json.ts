import { writeJson } from '../../report/write-json.ts';
import type { Comparison } from './comparison.ts';

/** The comparison itself; `specs/schemas/comparison.schema.json` is its schema. */
export function json(comparison: Comparison): string {
  return writeJson(comparison);
}
