import type { Shard } from '../../plan/select.ts';
import { describeValue, hideKeys } from '../../profile/describe-value.ts';
import { parseDuration } from '../../profile/header.ts';

/** Reads the value of a flag; undefined where it isn't one. */
export interface ValueKind<T> {
  readonly parse: (text: string) => T | undefined;
  /** What a value looks like. */
  readonly hint: string;
}

/** A whole number within bounds. */
export function wholeNumber(least: number, most: number, hint: string): ValueKind<number> {
  return {
    parse: (text) =>
      /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined,
    hint,
  };
}

/** A time, in milliseconds. */
export const duration: ValueKind<number> = {
  parse: parseDuration,
  hint: 'A time looks like 500ms, 10s or 2m, and is less than 25 days.',
};

const leastRate = 1 / 60;

/** A rate, in requests a second. */
export const rate: ValueKind<number> = {
  parse: (text) => {
    const [, number, unit] = /^(\d+(?:\.\d+)?)\/(s|m)$/.exec(text) ?? [];
    const perSecond = Number(number) / (unit === 'm' ? 60 : 1);
    return perSecond >= leastRate ? perSecond : undefined;
  },
  hint: 'A rate looks like 5/s or 90/m, and is no less than 1/m.',
};

/** A part of a divided run. */
export const shard: ValueKind<Shard> = {
  parse: (text) => {
    const [, index, of] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
    return index === undefined || of === undefined || index < 1 || index > of ? undefined : { index, of };
  },
  hint: 'A shard looks like 2/5: the second of five.',
};

/** The errors of the command line that repeat a value: what precedes the value, the value, and what follows it. */
const repeating: readonly { readonly form: RegExp; readonly shows: (value: string) => string }[] = [
  { form: /^(error: unknown option '--?[\w-]*)=(.*)('\n)/s, shows: () => '=…' },
  {
    form: /^(error: option '[^']*') argument '(.*)' (is invalid)/s,
    shows: (value) => `: the value ${describeValue(value)} `,
  },
  { form: /^(error: unknown command )'(.*)'(\n)/s, shows: describeValue },
];

/** An error of the command line without the values that it repeats, since one may be a key given in the wrong place. */
export function withoutValues(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  const shown = repeating.reduce(
    (message, { form, shows }) =>
      message.replace(
        form,
        (_, before: string, value: string, after: string) => before + shows(value) + after,
      ),
    text,
  );
  return hideKeys(shown, environment);
}
