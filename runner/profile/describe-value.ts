/**
 * Matches the part of a value that is shown: the scheme of a URL, up to 10 characters long, or at most the first
 * three characters. The shown part is too short for a key.
 */
const shown = /^(?:[a-z][a-z0-9+.]{0,9}:\/\/|.{0,3})/i;

/**
 * Returns the beginning of an invalid value in quotes, with `?` for each character that is not printable ASCII. If
 * the value is longer than this beginning, also returns the length of the value in characters. The rest of the value
 * is not shown, since the user may have passed a key in the wrong place.
 */
export function describeValue(text: string): string {
  const [start = ''] = shown.exec(text.replace(/[^\x20-\x7e]/g, '?')) ?? [];
  return text.length === start.length
    ? `"${start}"`
    : `"${start}…" (${text.length} characters; the rest may be part of a key and is hidden)`;
}

const secretName = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH/i;
/** The minimum length of a secret, in characters. A message may contain a shorter value by chance. */
const shortestSecret = 8;
const keyLike = /\b(?:(?:sk|pk|rk|ghp|gho|glpat|xox[abp])[-_]|AKIA|AIza|eyJ)[-_.A-Za-z0-9]{8,}/g;
/** Matches a possible key without a known prefix. */
const word = /[A-Za-z0-9]{20,}/g;
const maxRuns = 8;

/**
 * Replaces possible keys in a message with `(a key)`. Possible keys are texts with the prefix of a key, and random
 * words of at least 20 characters. Also replaces the values of environment variables whose names suggest a secret, if
 * the values have at least 8 characters.
 */
export function hideKeys(message: string, environment: Readonly<Record<string, string | undefined>>): string {
  const secrets = Object.entries(environment)
    .flatMap(([name, value]) => (value !== undefined && secretName.test(name) ? [value] : []))
    .filter(({ length }) => length >= shortestSecret)
    .sort((a, b) => b.length - a.length);
  const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, '(a key)'), message);
  return hidden.replace(keyLike, '(a key)').replace(word, (text) => (isRandom(text) ? '(a key)' : text));
}

/** Whether lower-case letters, upper-case letters and digits alternate more often than in a name. */
function isRandom(text: string): boolean {
  return (text.match(/[a-z]+|[A-Z]+|[0-9]+/g) ?? []).length > maxRuns;
}
