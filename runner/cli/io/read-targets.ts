import { existsSync } from 'node:fs';
import { lowerFirst } from '../../../common/letter-case.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { describeValue } from '../../profile/describe-value.ts';
import { UsageError } from '../../profile/profile.ts';
import {
  findGivenFlag,
  findProfile,
  readGateway,
  readOverrides,
  type Target,
  type TargetFlags,
} from './target.ts';

export interface NamedTarget extends Target {
  readonly name: string;
}

/** The maximum number of targets. A table with more targets would be unreadable. */
const mostTargets = 8;
const [nameForm, longestName] = [/^[a-z0-9][a-z0-9._-]*$/i, 32];

interface TargetFlag {
  readonly name: string;
  /** A base URL or the path of a profile. */
  readonly value: string;
}

/**
 * Reads the gateways of `--target NAME=URL` and `--target NAME=FILE`. The profile, key and headers of the flags apply
 * to each URL. `--allow-env` and `--allow-setup` also apply to each profile. Throws a `UsageError` or a
 * `DataFileError` if a flag or a profile is invalid.
 */
export function readTargets(given: readonly string[], flags: TargetFlags, catalog: Catalog): NamedTarget[] {
  const targets = given.map(readTargetFlag);
  if (targets.length < 2 || targets.length > mostTargets) {
    const remedy =
      targets.length < 2
        ? 'To test one gateway, use --base-url or --profile.'
        : 'Remove some of the targets.';
    throw new UsageError(
      `--target compares gateways: expected 2 to ${mostTargets} targets, got ${targets.length}. ${remedy}`,
    );
  }
  validateNames(targets.map(({ name }) => name));
  validateUse(targets, flags);
  const overrides = readOverrides(flags);
  const { allowedVariables, setupEnvironment } = overrides;
  return targets.map(({ name, value }) => {
    const target = readForTarget(name, () =>
      isUrl(value)
        ? readGateway(findProfile(flags), { ...overrides, baseUrl: value }, catalog)
        : readGateway(value, { allowedVariables, setupEnvironment }, catalog),
    );
    return { ...target, name };
  });
}

function readTargetFlag(text: string): TargetFlag {
  const end = text.indexOf('=');
  const [name, value] = [text.slice(0, end), text.slice(end + 1)];
  if (end < 1 || value === '') {
    throw new UsageError(
      `Invalid value for --target: ${describeValue(text)}. Expected NAME=URL or NAME=FILE, such as staging=https://staging.gateway.example.`,
    );
  }
  if (!nameForm.test(name) || name.length > longestName) {
    throw new UsageError(
      `--target ${describeValue(text)}: invalid name. A name has at most ${longestName} letters, digits, dots, dashes and underscores, and begins with a letter or digit.`,
    );
  }
  if (!isUrl(value) && !existsSync(value)) {
    throw new UsageError(
      `--target ${name}: ${describeValue(value)} is neither an HTTP URL nor an existing profile. Check the path of the profile, or begin the URL with http:// or https://.`,
    );
  }
  return { name, value };
}

/**
 * Throws a `UsageError` if two names are equal or differ only in case. File names contain these names, and some file
 * systems ignore case.
 */
function validateNames(names: readonly string[]): void {
  const known = names.map((name) => name.toLowerCase());
  const twice = names.findIndex((_, index) => known.indexOf(known[index] ?? '') !== index);
  if (twice >= 0)
    throw new UsageError(
      `--target ${names[known.indexOf(known[twice] ?? '')]} and --target ${names[twice]}: the names of two targets must differ in more than upper and lower case. Rename one of the two targets.`,
    );
}

/** Throws a `UsageError` if every target is a profile and a flag such as `--key` would therefore have no effect. */
function validateUse(targets: readonly TargetFlag[], flags: TargetFlags): void {
  if (targets.some(({ value }) => isUrl(value))) return;
  const idle = findGivenFlag(flags, ['profile', 'keyFile', 'key', 'header', 'model']);
  const properties = new Map([
    ['--key-file', 'keys.valid'],
    ['--key', 'keys.valid'],
    ['--header', 'headers'],
    ['--model', 'models'],
  ]);
  if (idle === undefined) return;
  const property = properties.get(idle);
  throw new UsageError(
    `${idle} has no effect, since each --target is a profile. Remove the flag${property === undefined ? '' : `, and set ${property} in each profile`}.`,
  );
}

function isUrl(value: string): boolean {
  return /^https?:\/\//i.test(value);
}

/** Calls `read` and returns the result. Adds the name of the target to a `UsageError` that `read` throws. */
export function readForTarget<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw withTargetName(name, error);
  }
}

/** Returns a `UsageError` with the name of the target in its message. Returns other errors unchanged. */
export function withTargetName(name: string, error: unknown): unknown {
  return error instanceof UsageError
    ? new UsageError(`--target ${name}: ${lowerFirst(error.message)}`)
    : error;
}
