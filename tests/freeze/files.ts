import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';

/** A unit of a border: a stable key, and a value that both sides are compared by. */
export type Unit = { readonly key: string; readonly value: unknown };

/** Writes units as JSON lines, compressed. */
export function writeUnits(file: string, units: readonly Unit[]): void {
  writeFileSync(file, gzipSync(units.map((unit) => `${JSON.stringify(unit)}\n`).join(''), { level: 1 }));
}

/** Writes a value as compressed JSON. */
export function writeValue(file: string, value: unknown): void {
  writeFileSync(file, gzipSync(JSON.stringify(value), { level: 1 }));
}

/** Reads a value that `writeValue` wrote. The caller names its type. */
export function readValue<T>(file: string): T {
  return JSON.parse(gunzipSync(readFileSync(file)).toString('utf8'));
}

/** Returns a short digest of a text. */
export const digest = (text: string): string =>
  createHash('sha1').update(text).digest('base64url').slice(0, 12);

/** Whether this part of `of` equal parts does the work at `index`. */
export type Part = { readonly number: number; readonly of: number };
export const isIn = ({ number, of }: Part, index: number): boolean => index % of === number - 1;
