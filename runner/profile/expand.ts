import type { DataFile, DataFileError } from '../catalog/data-file.ts';

const variable = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
/** Members without which nothing can be sent; all others are optional. */
const required = ['baseUrl', 'keys.valid'];

/** A value with each `${NAME}` replaced, and the optional members left out because a variable is unset. */
export interface Expanded {
  readonly value: unknown;
  /** Path of the member, with dots → name of the variable. */
  readonly unset: ReadonlyMap<string, string>;
}

/** A text with each `${NAME}` replaced, or the first variable that is not set. */
export function expandText(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly text: string } | { readonly unset: string } {
  const unset = [...text.matchAll(variable)].map(([, name = '']) => name).find((name) => !environment[name]);
  if (unset !== undefined) return { unset };
  return { text: text.replace(variable, (_, name: string) => environment[name] ?? '') };
}

/**
 * Replaces `${NAME}` in every text of the file. An unset variable leaves out an optional member;
 * in a required one it throws DataFileError with the line, unless `given` says that the member comes from elsewhere.
 */
export function expandVariables(
  file: DataFile,
  environment: Readonly<Record<string, string | undefined>>,
  given: ReadonlySet<string>,
): Expanded {
  const unset = new Map<string, string>();
  return { value: expand(file.value, []), unset };

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
    const expanded = expandText(text, environment);
    if ('text' in expanded) return expanded.text;
    const member = path.join('.');
    if (required.includes(member) && !given.has(member)) throw unsetError(file, path, member, expanded.unset);
    unset.set(member, expanded.unset);
    return undefined;
  }
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
