import { formsOfKey } from '../../common/key-forms.ts';
import { formatOneLine } from '../../common/printable.ts';

/** A longer value is cut in messages. */
const longestValue = 200;

/** Returns an invalid value in quotes, on one line. A text that looks like a key is hidden, since the user may have passed it in the wrong place. */
export function describeValue(text: string): string {
  return `"${formatOneLine(hideKeyLike(text), longestValue)}"`;
}

const secretName = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|AUTH/i;
/** The minimum length of a secret, in characters. A message may contain a shorter value by chance. */
const shortestSecret = 8;
/** A path or an address, such as that of `SSH_AUTH_SOCK`, is no secret. */
const address = /^(?:[./~]|https?:)/;
const note = '(hidden: looks like a key)';

/**
 * Replaces keys in a message with a note: the values of environment variables whose names suggest a secret, and texts
 * that look like a key.
 */
export function hideKeys(message: string, environment: Readonly<Record<string, string | undefined>>): string {
  const secrets = Object.entries(environment)
    .flatMap(([name, value]) => (value !== undefined && secretName.test(name) ? [value] : []))
    .filter((value) => value.length >= shortestSecret && !address.test(value))
    .flatMap((value) => formsOfKey(value).map(({ text }) => text))
    .sort((a, b) => b.length - a.length);
  return hideKeyLike(secrets.reduce((text, secret) => text.replaceAll(secret, note), message));
}

const prefixed =
  /\b(?:sk-[-_.A-Za-z0-9]{4,}|(?:(?:pk|rk|ghp|gho|glpat|gsk|hf|r8|xai|nvapi|xox[abp])[-_]|AKIA|AIza|eyJ)[-_.A-Za-z0-9]{8,})/g;
const word = /[A-Za-z0-9]{16,}/g;
/** In random text, lower-case letters, upper-case letters and digits alternate more often than in a name. */
const longestRandomRun = 2.5;

/** Matches the user name and the password in a URL. */
const userInfo = /(?<=:\/\/)[^/@\s]+(?=@)/g;

function hideKeyLike(text: string): string {
  const rest = text.replace(userInfo, '(hidden)').replace(prefixed, note);
  return rest.replace(word, (found) => {
    const runs = found.match(/[a-z]+|[A-Z]+|[0-9]+/g) ?? [];
    return found.length < longestRandomRun * runs.length ? note : found;
  });
}
