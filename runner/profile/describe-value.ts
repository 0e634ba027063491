/** The scheme of an address, or the beginning of a text, neither long enough to be of use as a key. */
const shown = /^(?:[a-z][a-z0-9+.]{0,9}:\/\/|.{0,3})/i;

/**
 * Describes a value that cannot be used by its beginning and length. The rest is not repeated, since a key given in the
 * wrong place would get into logs.
 */
export function describeValue(text: string): string {
  const [start = ''] = shown.exec(text.replace(/[^\x20-\x7e]/g, '?')) ?? [];
  return text.length === start.length
    ? `"${start}"`
    : `"${start}…" (${text.length} characters, not shown as they may be a key)`;
}

/** Names of environment variables whose values are secret. */
const secretName = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH/i;
/** A shorter value is no secret, and may be part of any word. */
const shortestSecret = 8;
/** What keys of common services begin with. */
const keyLike = /\b(?:(?:sk|pk|rk|ghp|gho|glpat|xox[abp])[-_]|AKIA|AIza|eyJ)[-_.A-Za-z0-9]{8,}/g;
/** What may be a key without such a beginning. */
const word = /[A-Za-z0-9]{20,}/g;
const mostTurns = 8;

/** A message without secrets of the environment, and without what looks like a key. */
export function hideKeys(message: string, environment: Readonly<Record<string, string | undefined>>): string {
  const secrets = Object.entries(environment)
    .flatMap(([name, value]) => (value !== undefined && secretName.test(name) ? [value] : []))
    .filter(({ length }) => length >= shortestSecret)
    .sort((a, b) => b.length - a.length);
  const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, '(a key)'), message);
  return hidden.replace(keyLike, '(a key)').replace(word, (text) => (isRandom(text) ? '(a key)' : text));
}

/** Whether small letters, capital letters and digits take turns as often as in no name. */
function isRandom(text: string): boolean {
  return (text.match(/[a-z]+|[A-Z]+|[0-9]+/g) ?? []).length > mostTurns;
}
