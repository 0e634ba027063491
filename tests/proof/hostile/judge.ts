import type { PartialProfile, ReferenceServer } from '../../../reference-server/index.ts';
import type { Catalog } from '../../../runner/catalog/catalog.ts';
import { createPromise } from '../../../runner/profile/promise.ts';
import { parseProfile } from '../../../runner/profile/read-profile.ts';
import type { Report } from '../../../runner/report/report.ts';
import { runSuite } from '../../../runner/run/run.ts';

/** The time limits of the profile: short, but long enough for responses on a busy machine. */
const timeouts = { refusal: '6s', idle: '5s', total: '15s' };
export const totalMs = 15_000;

/** Runs these cases against a gateway at another base URL. */
export async function judgeCases(
  gateway: ReferenceServer<PartialProfile>,
  { baseUrl, only, catalog }: { baseUrl: string; only: readonly string[]; catalog: Catalog },
): Promise<Report> {
  const profile = parseProfile({ ...gateway.profile, baseUrl, timeouts }, catalog);
  return runSuite(createPromise(catalog, profile), { only });
}
