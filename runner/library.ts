import { type Catalog, loadCatalog } from './catalog/catalog.ts';
import { loadOptions, type RunOptions } from './options.ts';
import type { Profile } from './profile/profile.ts';
import { type ProfileOverrides, profileOf, readProfile } from './profile/read-profile.ts';
import type { StatedProfile } from './profile/stated-profile.ts';
import type { Report } from './report/report.ts';
import { run as runOf } from './run.ts';
import type { RunEvent } from './run-event.ts';
import { runEvents as runEventsOf } from './run-events.ts';

let loaded: Promise<Catalog> | undefined;

/** The requirements, suites and fixtures of this package, read once. */
export function catalogOfPackage(): Promise<Catalog> {
  loaded ??= loadCatalog();
  return loaded;
}

/**
 * Judges a gateway and gives the report. The profile is the path of a YAML file, whose variables are taken from the
 * environment, or what such a file would state. Rejects with UsageError or DataFileError where it can't be used.
 */
export async function run(profile: string | StatedProfile, options: RunOptions = {}): Promise<Report> {
  const catalog = await catalogOfPackage();
  return runOf(catalog, toProfile(profile, catalog), await loadOptions(options));
}

/** The events of such a run as they happen, the report last; to leave the loop early ends the run and waits for its end. */
export async function* runEvents(
  profile: string | StatedProfile,
  options: RunOptions = {},
): AsyncGenerator<RunEvent, void> {
  const catalog = await catalogOfPackage();
  yield* runEventsOf(catalog, toProfile(profile, catalog), await loadOptions(options));
}

/** The profile of a path or of what such a file would state, with what is said over it; both may be left out. */
export function toProfile(
  profile: string | Partial<StatedProfile> | undefined,
  catalog: Catalog,
  { baseUrl, key }: ProfileOverrides = {},
): Profile {
  if (typeof profile !== 'object') return readProfile(profile, { baseUrl, key }, process.env, catalog);
  const valid = key ?? profile.keys?.valid ?? process.env.GATEWAY_API_KEY;
  return profileOf(
    {
      ...profile,
      ...(baseUrl !== undefined && { baseUrl }),
      keys: { ...profile.keys, ...(valid !== undefined && { valid }) },
    },
    catalog,
  );
}
