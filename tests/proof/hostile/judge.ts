import type { PartialProfile, ReferenceServer } from '../../../reference-server/index.ts';
import type { Catalog } from '../../../runner/catalog/catalog.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import type { Report } from '../../../runner/report/report.ts';
import { runSuite } from '../../../runner/run/run.ts';
import { defaultLimits } from '../../../runner/send/deadline.ts';

/** The time limits in seconds: short, but long enough for responses on a busy machine. */
export const limits = { firstByte: 6, idle: 5, total: 15 };

/** Runs these cases against a gateway at another base URL. */
export async function judgeCases(
  gateway: ReferenceServer<PartialProfile>,
  { baseUrl, only, catalog }: { baseUrl: string; only: readonly string[]; catalog: Catalog },
): Promise<Report> {
  return runSuite(createPromise(catalog, parseProfile({ ...gateway.profile, baseUrl }, catalog)), {
    selection: { suites: [], only },
    limits: {
      ...defaultLimits,
      firstByteMs: limits.firstByte * 1000,
      idleMs: limits.idle * 1000,
      totalMs: limits.total * 1000,
    },
  });
}
