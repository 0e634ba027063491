/** The library: judges a gateway as the command line does. */
export { DataFileError } from './catalog/data-file.ts';
export { type ComparedTargets, compareTargets } from './compare-targets.ts';
export type { Comparison } from './gate/compare/comparison.ts';
export { run, runEvents } from './library.ts';
export type { RunOptions } from './options.ts';
export { UsageError } from './profile/profile.ts';
export type { StatedProfile } from './profile/stated-profile.ts';
export type { Report } from './report/report.ts';
export type { RunEvent } from './run-event.ts';
export { defaultLimits, type Limits } from './send/http.ts';
