/** The library: judges a gateway as the command line does. */
export { DataFileError } from '../contract/data-file.ts';
export type { Comparison } from './compare/comparison.ts';
export { type ComparedTargets, compareTargets, run, runEvents } from './library.ts';
export type { StatedProfile } from './profile/profile.ts';
export { UsageError } from './profile/profile.ts';
export type { Report } from './report/report.ts';
export type { RunOptions } from './run/options.ts';
export type { RunEvent } from './run/run-event.ts';
export { defaultLimits, type Limits } from './transport/http.ts';
