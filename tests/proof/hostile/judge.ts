import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from '../../../benchmark/measure/process.js';
import type { PartialProfile, ReferenceServer } from '../../../reference-server/index.ts';
import type { Catalog } from '../../../runner/catalog/catalog.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import type { Report } from '../../../runner/report/report.ts';
import { runSuite } from '../../../runner/run/run.ts';
import { createScratchFolder, program } from '../../support/command.ts';

/** A report, and the peak memory of the run in megabytes, or undefined if the memory was not measured. */
export interface MeasuredReport {
  readonly report: Report;
  readonly megabytes: number | undefined;
}

/** The time limits of the profile: short, but long enough for responses on a busy machine. */
const timeouts = { refusal: '6s', idle: '5s', total: '15s' };
export const totalMs = 15_000;

/** Runs these cases in this process against a gateway at another base URL. */
export async function judgeHere(
  gateway: ReferenceServer<PartialProfile>,
  { baseUrl, only, catalog }: { baseUrl: string; only: readonly string[]; catalog: Catalog },
): Promise<MeasuredReport> {
  const report = await runSuite(
    createPromise(catalog, parseProfile({ ...gateway.profile, baseUrl, timeouts }, catalog)),
    { only },
  );
  return { report, megabytes: undefined };
}

/** Runs these cases with the command, and measures the peak memory of the process. */
export async function judgeByCommand(
  gateway: ReferenceServer<PartialProfile>,
  { baseUrl, only }: { baseUrl: string; only: readonly string[] },
): Promise<MeasuredReport> {
  const cwd = createScratchFolder();
  const keys = { valid: '${GATEWAY_API_KEY}' };
  writeFileSync(
    join(cwd, 'conformance.yaml'),
    JSON.stringify({ ...gateway.profile, baseUrl, keys, timeouts }),
  );
  const flags = only.map((id) => `--only=${id}`);
  const { peakMb } = await runNode([program, 'run', '--reporter=json=report.json', ...flags], {
    cwd,
    env: { GATEWAY_API_KEY: gateway.profile.keys.valid },
    codes: [0, 1, 3],
  });
  const report: Report = JSON.parse(readFileSync(join(cwd, 'report.json'), 'utf8'));
  return { report, megabytes: peakMb };
}
