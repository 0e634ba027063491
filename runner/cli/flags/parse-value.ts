import type { Shard } from '../../plan/select.ts';
import { describeValue, hideKeys } from '../../profile/describe-value.ts';
import { parseDuration } from '../../profile/header.ts';

/** A kind of flag value, such as a port or a rate. `parse` returns undefined if the text is not such a value. */
export interface ValueKind<T> {
  readonly parse: (text: string) => T | undefined;
  /** The expected form of the value, as a sentence for error messages. */
  readonly hint: string;
}

/** Returns the kind of value for integers from `least` to `most`. */
export function wholeNumber(least: number, most: number, hint: string): ValueKind<number> {
  return {
    parse: (text) =>
      /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined,
    hint,
  };
}

export const count = wholeNumber(1, Number.MAX_SAFE_INTEGER, 'Expected an integer of 1 or more.');

export const amount = wholeNumber(0, Number.MAX_SAFE_INTEGER, 'Expected an integer of 0 or more.');

/** A TCP port. The value 0 stands for a free port. */
export const port = wholeNumber(0, 65_535, 'Expected a port from 0 to 65535.');

/** A time such as `10s`, parsed to milliseconds. */
export const duration: ValueKind<number> = {
  parse: parseDuration,
  hint: 'Expected a time such as 500ms, 10s or 2m, less than 25 days.',
};

const leastRate = 1 / 60;

/** A rate such as `90/m`, parsed to requests per second; at least 1 request per minute. */
export const rate: ValueKind<number> = {
  parse: (text) => {
    const [, number, unit] = /^(\d+(?:\.\d+)?)\/(s|m)$/.exec(text) ?? [];
    const perSecond = Number(number) / (unit === 'm' ? 60 : 1);
    return perSecond >= leastRate ? perSecond : undefined;
  },
  hint: 'Expected a rate such as 5/s or 90/m, at least 1/m.',
};

/** A shard of a divided run, such as `2/5`. */
export const shard: ValueKind<Shard> = {
  parse: (text) => {
    const [, index, of] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
    return index === undefined || of === undefined || index < 1 || index > of ? undefined : { index, of };
  },
  hint: 'Expected a shard such as 2/5, the second of five.',
};

/** The error messages of Commander, and the messages that replace the messages of Commander. */
const forms: readonly { readonly form: RegExp; readonly report: (...parts: string[]) => string }[] = [
  {
    form: /^unknown option '(--?[\w-]*)(?:=.*)?'$/s,
    report: (flag) => `Unknown flag ${flag}.`,
  },
  { form: /^unknown command '(.*)'$/s, report: (name) => `Unknown command ${describeValue(name)}.` },
  {
    form: /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. (.*)$/s,
    report: (flag, value, hint) => `Invalid value for ${flag}: ${describeValue(value)}. ${hint}`,
  },
  {
    form: /^option '(?:-\w, )?(--[\w-]+) ([^']*)' argument missing$/,
    report: (flag, value) => `${flag} needs a value: ${flag} ${value.replace(/[<>]/g, '')}.`,
  },
  {
    form: /^missing required argument '(.*)'$/,
    report: (name) => `The argument ${name.toUpperCase()} is missing.`,
  },
  {
    form: /^too many arguments(?: for '(.*)')?\. Expected (\d+) arguments? but got (\d+)\.$/,
    report: (command, expected, got) =>
      `Too many arguments for ${command}: expected ${expected}, got ${got}.`,
  },
];

/**
 * Formats an error message of Commander in the style of this command. Keeps messages of an unknown form. Shortens
 * values and hides keys, because a user may have entered a key as the value.
 */
export function formatParseError(
  error: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const [, problem = '', suggestion] =
    /^(?:error: )?(.*?)(?:\n\(Did you mean (.*)\?\))?\n*$/s.exec(error) ?? [];
  const found = forms.find(({ form }) => form.test(problem));
  const [, ...parts] = found?.form.exec(problem) ?? [];
  const sentence = found ? found.report(...parts.map((part) => part ?? '')) : problem;
  return hideKeys(
    `conformance: ${sentence}${suggestion === undefined ? '' : ` Did you mean ${/^\w\S*$/.test(suggestion) ? `"${suggestion}"` : suggestion}?`}`,
    environment,
  );
}
