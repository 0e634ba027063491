import { type KeyRole, UsageError } from './profile.ts';

/** Throws UsageError for a key that no header can carry. */
export function holdKey(role: string, key: string): void {
  if (/[^\x21-\x7e]/.test(key)) {
    throw new UsageError(
      `keys.${role} has a character that can't stand in a header: a space, a line break or no ASCII.`,
    );
  }
}

/** Throws UsageError for a key in two roles: the suite would report what is right. */
export function holdDistinct(keys: Readonly<Partial<Record<KeyRole, string>>>): void {
  const roles = new Map<string, string>();
  for (const [role, key] of Object.entries(keys)) {
    const other = roles.get(key);
    if (other !== undefined)
      throw new UsageError(`keys.${other} and keys.${role} are the same key; each role needs its own.`);
    roles.set(key, role);
  }
}

/** Throws UsageError for a base URL with a key in it: every report and every log names the base URL. */
export function holdNoKey(baseUrl: string, keys: readonly string[]): void {
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
