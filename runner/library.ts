import { type Catalog, catalogOfPackage } from './catalog/catalog.ts';
import { compareReports } from './compare/compare-reports.ts';
import type { Comparison, TargetReport } from './compare/comparison.ts';
import { type Profile, type StatedProfile, UsageError } from './profile/profile.ts';
import { createPromise, type GatewayPromise } from './profile/promise.ts';
import { type ProfileOverrides, parseProfile, readProfile } from './profile/read-profile.ts';
import type { Report } from './report/report.ts';
import { completeOptions, type RunOptions, rejectUnknownOptions } from './run/options.ts';
import { prepare } from './run/prepare.ts';
import { createSharedOptions, runSuite, streamRunEvents } from './run/run.ts';
import type { RunEvent } from './run/run-event.ts';

/**
 * Runs the suite against a gateway. Resolves to the report, even if the gateway violates requirements or cannot be
 * reached. `profile` is the path of a YAML file, in which environment variables are expanded, or an object with the
 * same properties. Rejects with a `DataFileError` or a `UsageError` if the profile or an option is invalid. Before a
 * rejection, the run sends no requests, except requests for the model list (option `models`) and for the base URL
 * (option `waitMs`).
 */
export async function run(profile: string | StatedProfile, options: RunOptions = {}): Promise<Report> {
  rejectUnknownOptions(options);
  const catalog = await catalogOfPackage();
  return runSuite(toPromise(profile, catalog, overridesOf(options)), options);
}

/**
 * Yields the events of a run. The last event contains the report. The run starts with the first call of `next()`, and
 * `next()` rejects in the same cases as `run`. The run does not wait for the consumer, because events are queued.
 * Leaving the loop stops the run and waits until all connections are closed.
 */
export async function* runEvents(
  profile: string | StatedProfile,
  options: RunOptions = {},
): AsyncGenerator<RunEvent, void> {
  rejectUnknownOptions(options);
  const catalog = await catalogOfPackage();
  yield* streamRunEvents(toPromise(profile, catalog, overridesOf(options)), options);
}

function overridesOf({ allowSetup }: RunOptions): ProfileOverrides {
  return { setupEnvironment: allowSetup ? process.env : undefined };
}

/**
 * Returns the promise for the profile at a path, the profile that an object states, or, if `profile` is undefined, a
 * profile with the keys from environment variables. `baseUrl` and `key` override the profile. If neither the profile nor `key` states
 * the valid key, the valid key comes from the environment variable `GATEWAY_API_KEY`. Throws a `DataFileError` or a
 * `UsageError` if the profile is invalid.
 */
export function toPromise(
  profile: string | Partial<StatedProfile> | undefined,
  catalog: Catalog,
  overrides: ProfileOverrides = {},
): GatewayPromise {
  return createPromise(catalog, toProfile(profile, catalog, overrides));
}

function toProfile(
  profile: string | Partial<StatedProfile> | undefined,
  catalog: Catalog,
  { baseUrl, key, setupEnvironment }: ProfileOverrides,
): Profile {
  if (typeof profile !== 'object')
    return readProfile(profile, { baseUrl, key, setupEnvironment }, process.env, catalog);
  const valid = key ?? profile.keys?.valid ?? process.env.GATEWAY_API_KEY;
  return parseProfile(
    {
      ...profile,
      ...(baseUrl !== undefined && { baseUrl }),
      keys: { ...profile.keys, ...(valid !== undefined && { valid }) },
    },
    catalog,
    { setupEnvironment },
  );
}

export interface ComparedTargets {
  readonly comparison: Comparison;
  /** The report of each target, by the name of the target. */
  readonly reports: Readonly<Record<string, Report>>;
}

/**
 * Runs the suite against two or more gateways, one after another, and compares the results. `targets` maps the name of
 * each target to a profile that `run` accepts. `comparison.targets` has the same order. Rejects if `run` would reject
 * for any of the targets, and with a `UsageError` for fewer than two targets.
 */
export async function compareTargets(
  targets: Readonly<Record<string, string | StatedProfile>>,
  options: RunOptions = {},
): Promise<ComparedTargets> {
  rejectUnknownOptions(options);
  const catalog = await catalogOfPackage();
  // The options are completed once, so that all targets get the same random seed.
  const complete = completeOptions(options);
  const ready = await Promise.all(
    Object.entries(targets).map(async ([target, stated]) => {
      const promise = toPromise(stated, catalog, overridesOf(options));
      return { target, promise, prepared: await prepare(promise, complete) };
    }),
  );
  if (ready.length < 2)
    throw new UsageError('A comparison needs at least two targets. Add a gateway to `targets`.');
  const sharedOptionsFor = createSharedOptions(ready.map(({ promise }) => promise.profile));
  const judged: TargetReport[] = [];
  for (const { target, promise, prepared } of ready)
    judged.push({
      target,
      report: await runSuite(promise, { ...complete, ...sharedOptionsFor(promise.profile) }, prepared),
    });
  return {
    comparison: compareReports(judged),
    reports: Object.fromEntries(judged.map(({ target, report }) => [target, report])),
  };
}
