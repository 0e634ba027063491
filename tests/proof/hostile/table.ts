import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Outcome } from '../../../runner/judge/outcome.ts';

/** What became of a behaviour. */
export interface Row {
  readonly id: string;
  readonly outcome: Outcome;
  readonly durationMs: number;
  /** Undefined where it was not measured. */
  readonly megabytes: number | undefined;
}

/** Whether the table is written anew. */
export const isUpdating = process.env.UPDATE_HOSTILE !== undefined;

const file = join(import.meta.dirname, 'HOSTILE.md');
const head = `# Hostile gateways

\`UPDATE_HOSTILE=1 npx vitest run tests/proof/hostile\` wrote this. A server of raw sockets does each of these to one request of a run, whose due is \`401 missing_auth_credential\`; the other cases of the run are answered well, and conform each time. No answer may begin later than 6 s after its request, pause longer than 5 s, or take longer than 15 s; 1 MiB of a body is read. Memory is the most that the command held.

| in the place of the answer | outcome of the case | time of the exchange | memory of the run |
| --- | --- | --- | --- |
`;

/** Holds the committed table against what was seen: the behaviours and their outcomes, since time and memory vary. */
export function holdTable(rows: readonly Row[]): void {
  const lines = rows.map(
    ({ id, outcome, durationMs, megabytes }) =>
      `| ${id.replaceAll('|', '\\|')} | ${outcome} | ${(durationMs / 1000).toFixed(2)} s | ${Math.round(megabytes ?? 0)} MB |`,
  );
  if (isUpdating) writeFileSync(file, `${head}${lines.join('\n')}\n`);
  const stable = (text: string): string => text.replaceAll(/ \| [\d.]+ s \| \d+ MB \|$/gm, '');
  expect(stable(readFileSync(file, 'utf8'))).toBe(stable(`${head}${lines.join('\n')}\n`));
}
