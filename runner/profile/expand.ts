import type { DataFile, DataFileError } from '../../contract/data-file.ts';
import { type KeyRole, UsageError } from './profile.ts';

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
/** Members without which nothing can be sent; all others are optional. */
const required = ['baseUrl', 'keys.valid'];

/** A value with each `${NAME}` replaced, and the optional members left out because a variable is unset. */
export interface Expanded {
  readonly value: unknown;
  /** Path of the member, with dots → name of the variable. */
  readonly unset: ReadonlyMap<string, string>;
  /** The names of variables in members that reports don't show. */
  readonly used: ReadonlySet<string>;
}

/** The variables that a profile may take from the environment. */
export interface Variables {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names that are allowed beside those that begin with `GATEWAY_`. */
  readonly allowed?: readonly string[] | undefined;
}

/** Variables for gateways and their tests: what others hold is none of the business of a profile. */
const ownVariable = /^GATEWAY_[A-Z0-9_]+$/;

/** Members that are keys, which have roles of their own, or that reports name. */
const shown: readonly string[] = ['keys', 'baseUrl'];

/** A text with each `${NAME}` replaced, or the first variable that is not set. */
export function expandText(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly text: string } | { readonly unset: string } {
  const unset = variablesIn(text).find((name) => !environment[name]);
  if (unset !== undefined) return { unset };
  return { text: text.replace(variable, (_, name: string) => environment[name] ?? '') };
}

/**
 * Replaces `${NAME}` in every text of the file. An unset variable leaves out an optional member;
 * in a required one it throws DataFileError with the line, unless `given` says that the member comes from elsewhere.
 * It also throws for a variable that isn't allowed, and for one inside of the base URL: a profile may come from somebody
 * who may see what the gateway at that URL gets, but not what the environment holds.
 */
export function expandVariables(
  file: DataFile,
  { environment, allowed = [] }: Variables,
  given: ReadonlySet<string>,
): Expanded {
  const unset = new Map<string, string>();
  const used = new Set<string>();
  return { value: expand(file.value, []), unset, used };

  function expand(value: unknown, path: readonly (string | number)[]): unknown {
    if (typeof value === 'string') return expandMember(value, path);
    if (Array.isArray(value)) return value.map((item, index) => expand(item, [...path, index]));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(
      ([name, item]) => [name, expand(item, [...path, name])] as const,
    );
    return Object.fromEntries(entries.filter(([, item]) => item !== undefined));
  }

  function expandMember(text: string, path: readonly (string | number)[]): string | undefined {
    const member = path.join('.');
    const names = variablesIn(text);
    for (const name of names)
      if (!isAllowedVariable(name, allowed)) throw file.error(path, notAllowed(path.join('.'), name));
    if (member === 'baseUrl' && text.replace(/^\$\{\w+\}/, '').search(variable) >= 0)
      throw file.error(
        path,
        'In baseUrl, a variable can only stand at the beginning, for the whole address.',
      );
    if (!shown.includes(String(path[0]))) for (const name of names) used.add(name);
    const expanded = expandText(text, environment);
    if ('text' in expanded) return expanded.text;
    if (required.includes(member) && !given.has(member)) throw unsetError(file, path, member, expanded.unset);
    unset.set(member, expanded.unset);
    return undefined;
  }
}

/** Whether a profile may take the variable. */
export function isAllowedVariable(name: string, allowed: readonly string[] = []): boolean {
  return ownVariable.test(name) || allowed.includes(name);
}

/** Says that a member, or a flag that writes one, takes a variable that it may not take, and what to do. */
export function notAllowed(member: string, name: string): string {
  return `${member} takes the environment variable ${name}, but a profile can take only those that begin with GATEWAY_. Rename the variable, or allow it with --allow-env ${name}.`;
}

/** The names of the variables in a text. */
export function variablesIn(text: string): string[] {
  return [...text.matchAll(variable)].map(([, name = '']) => name);
}

/** The variables of those texts that are a single `${NAME}`, by their members. */
export function variablesOf(texts: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const named = Object.entries(texts).flatMap(([member, text]) => {
    const [whole, name] = String(text).match(variable.source) ?? [];
    return whole === text && name !== undefined ? [[member, name] as const] : [];
  });
  return Object.fromEntries(named);
}

function unsetError(
  file: DataFile,
  path: readonly (string | number)[],
  member: string,
  name: string,
): DataFileError {
  return file.error(path, `${member} needs the environment variable ${name}, which is not set.`);
}

/** A shorter text is no secret, and may stand in any response by chance. */
const shortestSecret = 8;

/** The texts of variables that are no keys, but that no report shows: text → variable. */
export function secretsOf(
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

/** Throws UsageError for a key that no header can carry. */
export function validateKey(role: string, key: string): void {
  if (/[^\x21-\x7e]/.test(key)) {
    throw new UsageError(
      `keys.${role} has a character that can't stand in a header: a space, a line break or no ASCII.`,
    );
  }
}

/** Throws UsageError for a key in two roles: the suite would report what is right. */
export function assertDistinct(keys: Readonly<Partial<Record<KeyRole, string>>>): void {
  const roles = new Map<string, string>();
  for (const [role, key] of Object.entries(keys)) {
    const other = roles.get(key);
    if (other !== undefined)
      throw new UsageError(`keys.${other} and keys.${role} are the same key; each role needs its own.`);
    roles.set(key, role);
  }
}

/** Throws UsageError for a base URL with a key in it: every report and every log names the base URL. */
export function assertNoKey(baseUrl: string, keys: readonly string[]): void {
  const texts = [baseUrl, decodeLeniently(baseUrl)];
  if (keys.some((key) => key !== '' && texts.some((text) => text.includes(key)))) {
    throw new UsageError(
      'The base URL has an API key in it. Take it out: keys are sent in headers, and the base URL stands in every report.',
    );
  }
}

function decodeLeniently(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
