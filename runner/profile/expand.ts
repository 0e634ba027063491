import type { DataFile, DataFileError } from '../../common/data-file.ts';
import { containsKey } from '../../common/key-forms.ts';
import { toMapping } from '../../common/mapping.ts';
import { type KeyRole, setupActions } from '../../common/profile-values.ts';
import { UsageError } from './profile.ts';

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
/**
 * The properties whose variables must be set before the first request. Without a header, all responses could differ.
 */
const required = ['baseUrl', 'keys.valid', 'headers'];

/** A profile with each `${NAME}` replaced, without the properties whose variables are unset or empty. */
export interface ExpandedProfile {
  readonly value: unknown;
  /** Omitted properties and list items: dotted path → name of the variable. */
  readonly unset: ReadonlyMap<string, string>;
  /** The names of the variables outside of `keys` and `baseUrl`. `collectSecrets` returns the values to redact. */
  readonly used: ReadonlySet<string>;
}

/** The environment, and the names of the environment variables to which a profile may refer. */
export interface Variables {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Allowed names in addition to those that begin with `GATEWAY_`. */
  readonly allowed?: readonly string[] | undefined;
}

/**
 * Matches the names of the variables to which every profile may refer. Other variables may contain secrets, which
 * must not be sent to the gateway of a profile.
 */
const ownVariable = /^GATEWAY_\w+$/;

/**
 * The properties whose variables are not added to `used`: keys are redacted by role, and reports show the base URL.
 */
const exemptProperties: readonly string[] = ['keys', 'baseUrl'];

/** Returns a text with each `${NAME}` replaced, or the name of the first variable that is unset or empty. */
export function expandText(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly text: string } | { readonly unset: string } {
  const unset = findVariables(text).find((name) => !environment[name]);
  if (unset !== undefined) return { unset };
  return { text: text.replace(variable, (_, name: string) => environment[name] ?? '') };
}

/**
 * Replaces `${NAME}` in every string value of a profile. A property or an item of a list is omitted if its variable
 * is unset or empty. A list is also omitted if all of its items are omitted. Throws a `DataFileError` if a property
 * in `required` but not in `given` is omitted. Also throws a `DataFileError` if a variable is not allowed, or if the
 * base URL has a variable after its beginning. The author of a profile may own the gateway, and must not receive
 * other values of the environment.
 */
export function expandVariables(
  file: DataFile,
  { environment, allowed = [] }: Variables,
  given: ReadonlySet<string>,
): ExpandedProfile {
  const unset = new Map<string, string>();
  const used = new Set<string>();
  return { value: expand(file.value, []), unset, used };

  function expand(value: unknown, path: readonly (string | number)[]): unknown {
    if (typeof value === 'string') return expandProperty(value, path);
    if (Array.isArray(value)) return expandList(value, path);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(
      ([name, item]) => [name, expand(item, [...path, name])] as const,
    );
    return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
  }

  function expandList(
    items: readonly unknown[],
    path: readonly (string | number)[],
  ): readonly unknown[] | undefined {
    const expanded = items.map((item, index) => expand(item, [...path, index]));
    const known = expanded.filter((item) => item !== undefined);
    if (known.length > 0 || items.length === 0) return known;
    const variableOfItem = unset.get([...path, 0].join('.'));
    if (variableOfItem !== undefined) unset.set(path.join('.'), variableOfItem);
    return undefined;
  }

  function expandProperty(text: string, path: readonly (string | number)[]): string | undefined {
    const property = path.join('.');
    const names = findVariables(text);
    for (const name of names)
      if (!isAllowedVariable(name, allowed)) throw file.error(path, formatNotAllowed(property, name));
    if (property === 'baseUrl' && text.replace(/^\$\{\w+\}/, '').search(variable) >= 0)
      throw file.error(
        path,
        'in baseUrl, `${...}` is allowed only at the beginning. To set the whole URL from a variable, write `baseUrl: ${GATEWAY_BASE_URL}`.',
      );
    if (!exemptProperties.includes(String(path[0]))) for (const name of names) used.add(name);
    const expanded = expandText(text, environment);
    if ('text' in expanded) return expanded.text;
    const section = path[0] === 'headers' ? 'headers' : property;
    if (required.includes(section) && !given.has(section))
      throw createUnsetError(file, path, property, expanded.unset);
    unset.set(property, expanded.unset);
    return undefined;
  }
}

/**
 * Omits `setup` if one of its variables is unset or empty, since an incomplete call could make a different change.
 * Adds the omitted actions to `unset`.
 */
export function omitUnsetSetup(expanded: ExpandedProfile): ExpandedProfile {
  const [unset] = [...expanded.unset].filter(([path]) => path.startsWith('setup.'));
  if (!unset) return expanded;
  const { setup, ...value } = toMapping(expanded.value);
  const stated = setupActions.filter((action) => Object.hasOwn(toMapping(setup), action));
  const actions = stated.map((action) => [`setup.${action}`, unset[1]] as const);
  return { ...expanded, value, unset: new Map([...expanded.unset, ...actions]) };
}

export function isAllowedVariable(name: string, allowed: readonly string[] = []): boolean {
  return ownVariable.test(name) || allowed.includes(name);
}

function formatNotAllowed(property: string, name: string): string {
  return `${property} refers to the environment variable ${name}, but by default, a profile may refer only to variables whose names begin with GATEWAY_. Rename the variable, or allow the variable with --allow-env ${name}.`;
}

export function findVariables(text: string): string[] {
  return [...text.matchAll(variable)].map(([, name = '']) => name);
}

/** Returns the variable of each property whose text is a single `${NAME}`. */
export function mapVariables(texts: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const named = Object.entries(texts).flatMap(([property, text]) => {
    const [whole, name] = String(text).match(variable.source) ?? [];
    return whole === text && name !== undefined ? [[property, name] as const] : [];
  });
  return Object.fromEntries(named);
}

function createUnsetError(
  file: DataFile,
  path: readonly (string | number)[],
  property: string,
  name: string,
): DataFileError {
  return file.error(
    path,
    `${property} needs the environment variable ${name}, which is unset or empty. Set the variable.`,
  );
}

/** The minimum length of a secret, in characters. Any response may contain a shorter text by chance. */
const shortestSecret = 8;

/** Returns the values of variables that reports redact: value → variable. Omits values of fewer than 8 characters. */
export function collectSecrets(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  return new Map(
    names.flatMap((name) => {
      const text = environment[name] ?? '';
      return text.length < shortestSecret ? [] : [[text, name] as const];
    }),
  );
}

/** Throws a `UsageError` if a key contains a space or a character that is not printable ASCII. */
export function validateKey(role: string, key: string): void {
  if (/[^\x21-\x7e]/.test(key)) {
    throw new UsageError(
      `The ${nameKey(role)} contains a space, a line break, or a character that is not printable ASCII. Check the key.`,
    );
  }
}

/** Throws a `UsageError` if two roles have the same key, which would cause false positives. */
export function assertDistinct(keys: Readonly<Partial<Record<KeyRole, string>>>): void {
  const { valid, ...others } = keys;
  const roles = new Map([[valid, 'valid']]);
  for (const [role, key] of Object.entries(others)) {
    const other = roles.get(key);
    if (other !== undefined)
      throw new UsageError(
        `The ${nameKey(other)} and the ${nameKey(role)} are the same key. Use a different key for each role, or remove the ${role} key.`,
      );
    roles.set(key, role);
  }
}

function nameKey(role: string): string {
  return role === 'valid'
    ? 'valid key (GATEWAY_API_KEY, keys.valid, or a flag such as --key-file)'
    : `${role} key (GATEWAY_${role.toUpperCase()}_KEY or keys.${role})`;
}

/**
 * Throws an error if the base URL contains a key, plain or encoded, since reports and logs show the base URL. Throws a
 * `DataFileError` for a base URL of the profile (`file`), and a `UsageError` if `file` is undefined.
 */
export function assertNoKey(baseUrl: string, keys: readonly string[], file: DataFile | undefined): void {
  if (!keys.some((key) => containsKey(baseUrl, key))) return;
  const problem =
    'contains an API key. Remove the key: keys are sent in headers, and reports and logs show the base URL.';
  throw file?.error(['baseUrl'], `baseUrl ${problem}`) ?? new UsageError(`The base URL ${problem}`);
}
