import { existsSync } from 'node:fs';
import type { Catalog } from '../../catalog/catalog.ts';
import { describeValue } from '../../profile/describe-value.ts';
import { UsageError } from '../../profile/profile.ts';
import { gatewayOf, profilePath, readOverrides, type Target, type TargetFlags } from './target.ts';

/** A gateway among several, and what the user calls it. */
export interface NamedTarget extends Target {
  readonly name: string;
}

/** More than these make no table that anybody reads. */
const mostTargets = 8;
const [nameForm, longestName] = [/^[a-z0-9][a-z0-9._-]*$/i, 32];

interface Given {
  readonly name: string;
  /** A base URL or the path of a profile. */
  readonly value: string;
}

/**
 * The gateways of `NAME=URL` and `NAME=PROFILE`: of a URL, what is known of it is the profile of the flags. Throws
 * UsageError or DataFileError, with the name of the target, where one can't be used.
 */
export function readTargets(given: readonly string[], flags: TargetFlags, catalog: Catalog): NamedTarget[] {
  const targets = given.map(readGiven);
  if (targets.length < 2 || targets.length > mostTargets) {
    throw new UsageError(
      `--target compares gateways: name two to ${mostTargets} of them. One alone is judged with --base-url or --profile.`,
    );
  }
  validateNames(targets.map(({ name }) => name));
  validateUse(targets, flags);
  const overrides = readOverrides(flags);
  return targets.map(({ name, value }) => {
    const target = forTarget(name, () =>
      isUrl(value)
        ? gatewayOf(profilePath(flags), { ...overrides, baseUrl: value }, catalog)
        : gatewayOf(value, {}, catalog),
    );
    return { ...target, name };
  });
}

function readGiven(text: string): Given {
  const end = text.indexOf('=');
  const [name, value] = [text.slice(0, end), text.slice(end + 1)];
  if (end < 1 || value === '') {
    throw new UsageError(
      `--target ${describeValue(text)} is not NAME=URL or NAME=PROFILE, such as staging=https://staging.gateway.example`,
    );
  }
  if (!nameForm.test(name) || name.length > longestName) {
    throw new UsageError(
      `--target ${describeValue(text)}: a name has up to ${longestName} letters, digits, dots, dashes and underscores, and begins with a letter or digit.`,
    );
  }
  if (!isUrl(value) && !existsSync(value)) {
    throw new UsageError(
      `--target ${name}: ${describeValue(value)} is not a URL, and no such profile exists. A base URL begins with http:// or https://`,
    );
  }
  return { name, value };
}

/** Names stand in the names of files, which may not tell a capital letter from a small one. */
function validateNames(names: readonly string[]): void {
  const known = names.map((name) => name.toLowerCase());
  const twice = names.find((_, index) => known.indexOf(known[index] ?? '') !== index);
  if (twice !== undefined)
    throw new UsageError(`Two targets are called ${twice}; each needs a name of its own.`);
}

/** What would have no effect was not meant so. */
function validateUse(targets: readonly Given[], flags: TargetFlags): void {
  if (targets.some(({ value }) => isUrl(value))) return;
  const idle = (['profile', 'keyFile', 'key', 'header'] as const).find(
    (flag) => (flags[flag] ?? []).length > 0,
  );
  const names = { profile: '--profile', keyFile: '--key-file', key: '--key', header: '--header' };
  if (idle !== undefined) {
    throw new UsageError(
      `${names[idle]} is for targets that are named by a URL; each profile of --target says it for itself.`,
    );
  }
}

function isUrl(value: string): boolean {
  return /^https?:\/\//i.test(value);
}

/** Reads something of a target; the message of a UsageError then begins with its name. */
export function forTarget<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw errorOfTarget(name, error);
  }
}

/** The error with the name of its target if it is a UsageError; any other as it is. */
export function errorOfTarget(name: string, error: unknown): unknown {
  return error instanceof UsageError ? new UsageError(`--target ${name}: ${error.message}`) : error;
}
