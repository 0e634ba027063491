import { parseStatusSet, type StatusSet } from './status-set.ts';

/**
 * The attributes of a request: its properties that are known before the response arrives. An absent attribute is
 * unknown. The JSON report lists the attributes in the member `attributes`.
 */
export type Attributes = Readonly<Record<string, string>>;

/** A set of values of an attribute: the listed values or, with `negated`, all other values. */
export interface Matcher {
  readonly values: readonly string[];
  readonly negated: boolean;
}

/**
 * A condition on the response. Only pooled requirements can have such a condition. A response must satisfy every
 * defined property.
 */
export interface AnswerCondition {
  readonly status: StatusSet | undefined;
  readonly type: Matcher | undefined;
  /** A JSON pointer. The response must have a string at this location. */
  readonly string: string | undefined;
  /**
   * A JSON pointer. If the response has a string at this location, the string must have visible characters and must not
   * be mostly in other than Latin letters.
   */
  readonly mostlyLatin: string | undefined;
  /**
   * Statuses that a server in front of the gateway may send. The requirement applies to a response with such a status
   * only if the body has the member `error`, or if the request is part of a burst.
   */
  readonly unlessPage: StatusSet | undefined;
}

export interface AttributeMatcher {
  readonly name: string;
  readonly matcher: Matcher;
}

/** A condition on the attributes of a request and, optionally, on the response. All properties must be satisfied. */
export interface Condition {
  readonly attributes: readonly AttributeMatcher[];
  /** Alternatives, at least one of which must be satisfied; empty if the condition has no alternatives. */
  readonly anyOf: readonly Condition[];
  readonly answer: AnswerCondition | undefined;
}

/**
 * Whether the attributes satisfy the condition; undefined if the result depends on an unknown attribute. Ignores the
 * condition on the response (`answer`).
 */
export function evaluate(condition: Condition, attributes: Attributes): boolean | undefined {
  let unknown = false;
  for (const { name, matcher } of condition.attributes) {
    const result = matches(matcher, attributes[name]);
    if (result === false) return false;
    unknown ||= result === undefined;
  }
  if (condition.anyOf.length > 0) {
    const some = evaluateAny(condition.anyOf, attributes);
    if (some === false) return false;
    unknown ||= some === undefined;
  }
  return unknown ? undefined : true;
}

function evaluateAny(conditions: readonly Condition[], attributes: Attributes): boolean | undefined {
  let unknown = false;
  for (const condition of conditions) {
    const result = evaluate(condition, attributes);
    if (result === true) return true;
    unknown ||= result === undefined;
  }
  return unknown ? undefined : false;
}

/** Whether the condition or one of its alternatives contains the attribute. */
export function dependsOn({ attributes, anyOf }: Condition, attribute: string): boolean {
  return (
    attributes.some(({ name }) => name === attribute) || anyOf.some((other) => dependsOn(other, attribute))
  );
}

/** Whether the set of the matcher contains the value; undefined if the value is undefined, which means unknown. */
export function matches(matcher: Matcher, value: string | undefined): boolean | undefined {
  return value === undefined ? undefined : matcher.values.includes(value) !== matcher.negated;
}

/**
 * Parses a condition of a data file. If the condition is invalid, throws the error that `fail` creates. `fail` gets the
 * path inside the condition and the description of the problem.
 */
export function parseCondition(
  raw: unknown,
  fail: (path: readonly (string | number)[], problem: string) => Error,
): Condition {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    throw fail([], 'a condition must be a mapping of attributes to values.');
  const attributes: AttributeMatcher[] = [];
  const anyOf: Condition[] = [];
  let answer: AnswerCondition | undefined;
  for (const [name, value] of Object.entries(raw)) {
    if (name === 'anyOf') {
      if (!Array.isArray(value)) throw fail([name], '`anyOf` must be a list of conditions.');
      for (const [index, item] of value.entries()) {
        anyOf.push(parseCondition(item, (path, problem) => fail([name, index, ...path], problem)));
      }
    } else if (name === 'answer') {
      answer = parseAnswer(value, (path, problem) => fail([name, ...path], problem));
    } else {
      attributes.push({ name, matcher: parseMatcher(value) });
    }
  }
  return { attributes, anyOf, answer };
}

/** Parses a value, a list of values, or one of these forms in `{ not: … }`. Values are converted to strings. */
export function parseMatcher(raw: unknown): Matcher {
  if (typeof raw === 'object' && raw !== null && 'not' in raw)
    return { ...parseMatcher(raw.not), negated: true };
  return { values: (Array.isArray(raw) ? raw : [raw]).map(String), negated: false };
}

function parseAnswer(
  raw: unknown,
  fail: (path: readonly (string | number)[], problem: string) => Error,
): AnswerCondition {
  if (typeof raw !== 'object' || raw === null)
    throw fail([], '`answer` must be a mapping of names to values.');
  const { status, type, string, mostlyLatin, unlessPage, ...rest }: Record<string, unknown> = { ...raw };
  for (const name of Object.keys(rest))
    throw fail([name], `unknown property "${name}" in \`answer\`. Remove this property.`);
  const readStatuses = (name: string, value: unknown): StatusSet | undefined => {
    const set = value === undefined ? undefined : parseStatusSet(value);
    if (value !== undefined && !set)
      throw fail([name], 'a status must be a number from 100 to 599, or a class such as 4xx.');
    return set;
  };
  const [set, pages] = [readStatuses('status', status), readStatuses('unlessPage', unlessPage)];
  return {
    status: set,
    type: type === undefined ? undefined : parseMatcher(type),
    string: string === undefined ? undefined : String(string),
    mostlyLatin: mostlyLatin === undefined ? undefined : String(mostlyLatin),
    unlessPage: pages,
  };
}
