/** The library: judges a gateway as the command line does. */
export { type Catalog, loadCatalog } from './catalog/catalog.ts';
export { DataFileError } from './catalog/data-file.ts';
export { type Profile, UsageError } from './profile/profile.ts';
export { profileOf, readProfile } from './profile/read-profile.ts';
export type { Report } from './report/report.ts';
export { type RunOptions, run } from './run.ts';
export { defaultLimits } from './send/http.ts';
