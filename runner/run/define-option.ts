import { longestDuration, parseDuration } from '../profile/header.ts';

/** The groups of options, in the order of `--help-all` and docs/flags.md. */
export const optionGroups = [
  'Target and keys',
  'The profile',
  'What to send',
  'Responses',
  'Judging and baseline',
  'Reports',
  'CI and watch mode',
  'Listening',
  'Network',
] as const;

/** The texts of an option: in the help, in docs/flags.md and in docs/library.md. */
export interface OptionTexts {
  /** The flag and its value: `--base-url <URL>`. */
  readonly flag: string;
  readonly group: (typeof optionGroups)[number];
  readonly description: string;
  /** Further sentences for the documents, in Markdown. */
  readonly docs?: string;
  /** The default in words, in Markdown. Default: `initial`. */
  readonly default?: string;
  /** Whether the short help shows the flag if the command has more than 9 flags. Default: false. */
  readonly isMain?: boolean;
  /**
   * Whether `defaults` in a profile cannot set the flag, since it is for one run or lowers a protection. A profile cannot
   * set the flags of the group "Target and keys" either. Default: false.
   */
  readonly isOnlyFlag?: boolean;
  /** What a shell completes the value with. Default: paths if the value is a FILE or a PATH, otherwise nothing. */
  readonly completes?: Completion;
}

/** The kinds of IDs and names that a shell completes. */
export const nameKinds = ['requirements', 'cases', 'suites', 'faults', 'variants'] as const;
export type NameKind = (typeof nameKinds)[number];

/** Paths, a list of texts, or IDs. */
export type Completion = 'files' | readonly string[] | { readonly ids: readonly NameKind[] };

/** An option of the library, a flag of commands, or both. */
export interface Option<Value = unknown> extends OptionTexts {
  readonly takes: 'switch' | 'list' | ValueKind<unknown>;
  /** The value if the option is omitted. */
  readonly initial: Value;
}

export type Options = Readonly<Record<string, Option>>;

/** The values of options, by the name of the option. */
export type ValuesOf<Defined> = {
  readonly [Name in keyof Defined]: Defined[Name] extends Option<infer Value> ? Value : never;
};

/** A kind of value, such as a port or a rate. */
export interface ValueKind<Value> {
  /** Reads the text of a flag; undefined if the text is not such a value. */
  readonly parse: (text: string) => Value | undefined;
  /** What a flag expects, as a noun for error messages. */
  readonly expected: string;
  format?(value: Value): string;
  /** What the library expects. Default: any value of the type. */
  readonly inCode?: { accepts(value: Value): boolean; readonly expected: string };
}

interface Range {
  readonly least: number;
  readonly most?: number;
}

/** A kind of number. */
function numberKind(
  { least, most = Number.MAX_SAFE_INTEGER }: Range,
  {
    parse,
    format = String,
    expected,
    inCode,
    isWhole = false,
  }: Omit<ValueKind<number>, 'inCode'> & {
    readonly inCode: string;
    readonly isWhole?: boolean;
  },
): ValueKind<number> {
  const accepts = (value: number): boolean =>
    value >= least && value <= most && (!isWhole || Number.isInteger(value));
  return {
    parse: (text) => {
      const value = parse(text);
      return value !== undefined && accepts(value) ? value : undefined;
    },
    expected,
    format,
    inCode: { accepts, expected: inCode },
  };
}

export function integer({ least, most }: Range): ValueKind<number> {
  const expected = `an integer ${most === undefined ? `of ${least} or more` : `from ${least} to ${most}`}`;
  return numberKind(
    { least, ...(most !== undefined && { most }) },
    {
      parse: (text) => (/^\d+$/.test(text) ? Number(text) : undefined),
      expected,
      inCode: expected,
      isWhole: true,
    },
  );
}

/** A time such as `10s`, in milliseconds. */
export const time = numberKind(
  { least: 0, most: longestDuration },
  {
    parse: parseDuration,
    format: (milliseconds) => `${milliseconds / 1000}s`,
    expected: 'a time of less than 25 days, such as 500ms, 10s or 2m',
    inCode: `a number of milliseconds from 0 to ${longestDuration}`,
  },
);

/** A rate such as `90/m`, in requests per second. */
export const rate = numberKind(
  { least: 1 / 60 },
  {
    parse: (text) => {
      const [, number, unit] = /^(\d+(?:\.\d+)?)\/(s|m)$/.exec(text) ?? [];
      return Number(number) / (unit === 'm' ? 60 : 1);
    },
    expected: 'a rate such as 5/s or 90/m, at least 1/m',
    inCode: 'a number of requests per second, at least 1/60',
  },
);

/** One of several words. */
export function oneOf<Word extends string>(words: readonly Word[]): ValueKind<Word> {
  return {
    parse: (text) => words.find((word) => word === text),
    expected: `one of: ${words.join(', ')}`,
    format: (word) => `\`${word}\``,
  };
}

/** Any text. */
const anyText: ValueKind<string> = {
  parse: (text) => text,
  expected: 'a text',
  format: (text) => `\`${text}\``,
};

/** An option without a value. One such as `--no-console` disables what is enabled by default. */
export function toggle(texts: OptionTexts): Option<boolean> {
  return { ...texts, takes: 'switch', initial: texts.flag.startsWith('--no-') };
}

/** A repeatable option. */
export function list(texts: OptionTexts): Option<readonly string[]> {
  return { ...texts, takes: 'list', initial: [] };
}

/** An option with optional values, such as `--watch [PATH...]`: true without a value. */
export function paths(texts: OptionTexts): Option<true | readonly string[] | undefined> {
  return { ...texts, takes: 'list', initial: undefined };
}

export function value<Value>(
  kind: ValueKind<Value>,
  texts: OptionTexts & { readonly initial: Value },
): Option<Value>;
export function value<Value>(kind: ValueKind<Value>, texts: OptionTexts): Option<Value | undefined>;
export function value<Value>(
  kind: ValueKind<Value>,
  texts: OptionTexts & { readonly initial?: Value },
): Option<Value | undefined> {
  return { initial: undefined, ...texts, takes: kind };
}

export function text(texts: OptionTexts & { readonly initial: string }): Option<string>;
export function text(texts: OptionTexts): Option<string | undefined>;
export function text(texts: OptionTexts & { readonly initial?: string }): Option<string | undefined> {
  return value(anyText, texts);
}

/**
 * Returns the value of each option: the one of `given`, otherwise the initial one. Calls `check` with each
 * given value.
 */
export function fillIn<Defined extends Options>(
  defined: Defined,
  given: object,
  check: (name: string, value: unknown, option: Option) => void = () => {},
): ValuesOf<Defined> {
  const stated = new Map<string, unknown>(Object.entries(given));
  const values = Object.entries(defined).map(([name, option]) => {
    const value = stated.get(name);
    if (value !== undefined) check(name, value, option);
    return { [name]: value ?? option.initial };
  });
  return Object.assign({}, ...values);
}
