import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Outcome } from '../../../runner/judge/outcome.ts';

/** The result for a behaviour. */
export interface BehaviourRow {
  readonly id: string;
  readonly outcome: Outcome;
  readonly durationMs: number;
  /** The peak memory of the run in megabytes, or undefined if the memory was not measured. */
  readonly megabytes: number | undefined;
}

/** Whether the tests write the table. */
export const isUpdating = process.env.UPDATE_HOSTILE !== undefined;

const file = join(import.meta.dirname, 'HOSTILE.md');
const head = `# Hostile gateways

\`UPDATE_HOSTILE=1 npx vitest run tests/proof/hostile\` writes this file. In each row, a raw-socket server behaves as described instead of sending the expected \`401 missing_auth_credential\` for one request of a run. The other cases of the run get correct responses and must conform. The time limits are 6 s for the first byte, 5 s for a pause and 15 s in total. The suite reads at most 1 MiB of a body. Memory is the peak memory of the command.

| Behaviour of the gateway | Outcome of the case | Time of the exchange | Memory of the run |
| --- | --- | --- | --- |
`;

/**
 * Compares the behaviours and outcomes with the committed table. Time and memory vary and are not compared. If
 * `isUpdating` is true, writes the table first.
 */
export function expectTable(rows: readonly BehaviourRow[]): void {
  const lines = rows.map(
    ({ id, outcome, durationMs, megabytes }) =>
      `| ${id.replaceAll('|', '\\|')} | ${outcome} | ${(durationMs / 1000).toFixed(2)} s | ${Math.round(megabytes ?? 0)} MB |`,
  );
  if (isUpdating) writeFileSync(file, `${head}${lines.join('\n')}\n`);
  const stable = (text: string): string => text.replaceAll(/ \| [\d.]+ s \| \d+ MB \|$/gm, '');
  expect(stable(readFileSync(file, 'utf8'))).toBe(stable(`${head}${lines.join('\n')}\n`));
}
