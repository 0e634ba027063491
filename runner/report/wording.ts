import type { Finding } from '../judge/finding.ts';
import { oneLine } from '../text/printable.ts';
import { type Redact, redactAll } from './redaction/redact.ts';
import type { ExchangeReport, FindingReport } from './report.ts';

type Words = { readonly [K in Finding['kind']]: (finding: Extract<Finding, { kind: K }>) => string };

const words: Words = {
  'wrong-status': ({ expected, actual }) =>
    `expected ${/^\d/.test(expected) ? 'status ' : ''}${expected}, got ${actual}`,
  'wrong-type': ({ expected, actual }) =>
    `expected error.type ${expected.join(' or ')}, got ${showValue(actual)}`,
  'wrong-code': ({ expected, actual }) =>
    `expected error.code ${expected.join(' or ')}, got ${showValue(actual)}`,
  'not-json': ({ place, actual }) =>
    `expected JSON with ${placeName(place)}, got ${actual === '' ? 'an empty body' : showValue(actual)}`,
  missing: ({ place }) => `${placeName(place)} is missing`,
  'wrong-value': ({ place, expected, actual }) => `${placeName(place)} ${expected}, got ${showValue(actual)}`,
  'breaks-schema': ({ place, schema, problem, actual }) => {
    const got =
      actual === undefined || missingMember(problem) !== undefined ? '' : `, got ${showValue(actual)}`;
    return `${schemaProblem(place, problem)}${got} (schema ${schema})`;
  },
  'not-equal': ({ place, actual, other, expected }) =>
    `${placeName(place)} is ${showValue(actual)}, but ${placeName(other)} is ${showValue(expected)}`,
  'wrong-media-type': ({ expected, actual }) =>
    `expected a content type of ${expected}, got ${actual === undefined ? 'none' : showValue(actual)}`,
  'names-nothing': ({ expected, message }) =>
    `expected a message that names ${expected}, got ${showValue(message)}`,
  'model-not-listed': ({ model }) =>
    `the model list lacks ${showValue(model)}, which was called with success`,
  'model-listed': ({ model }) => `the model list has ${showValue(model)}, which was made up for this run`,
  'one-part': () => 'the streamed response came in one part',
  'no-error-event': () => 'the stream has no error in it',
  'wrong-path': ({ pattern, actual }) => `expected a path like ${pattern}, but the profile binds ${actual}`,
  'wrong-fact': ({ fact, expected, actual }) =>
    `expected ${attributeNames.get(fact) ?? fact} to be ${expected}, got ${actual ?? 'nothing'}`,
  'none-of-several': ({ alternatives }) =>
    alternatives.map((list) => list.map(wordFinding).join(' and ')).join('; or '),
  'never-happened': ({ wanted, answers }) =>
    `expected ${wanted} at least once, but none of ${answers} responses was that`,
  happened: ({ unwanted, actual }) => `expected any status but ${unwanted}, got ${actual}`,
  differs: ({ place, values }) =>
    `${placeName(place)} differs between the responses: ${[...new Set(values.map(showValue))].join(', ')}`,
  repeats: ({ place, value, times }) => `${placeName(place)} is ${showValue(value)} in ${times} responses`,
};

const attributeNames: ReadonlyMap<string, string> = new Map([['keyPrefix', 'the prefix of an accepted key']]);

/** What a body lacks or has against a schema, in words. */
export function schemaProblem(place: string, problem: string): string {
  const extra = /^must NOT have additional properties: (.+)$/.exec(problem)?.[1];
  if (extra !== undefined) return `${placeName(place)} has a member that is not allowed: ${extra}`;
  const member = missingMember(problem);
  if (member === undefined) return `${placeName(place)} ${problem}`;
  return `${placeName(`${place === 'body' ? '' : place}/${member}`)} is missing`;
}

/** The member that a validator misses. */
function missingMember(problem: string): string | undefined {
  return /^must have required property '(.+)'$/.exec(problem)?.[1];
}

/** A finding in a sentence: what was expected, and what came. */
export function wordFinding(finding: Finding): string {
  return wordOne(finding, finding.kind);
}

function wordOne<K extends Finding['kind']>(finding: Extract<Finding, { kind: K }>, kind: K): string {
  return words[kind](finding);
}

/** A place in an answer as sentences name it: `error.type`, `the header x-trace-id`. */
export function placeName(place: string): string {
  if (place === 'body') return 'the body';
  if (place === 'status') return 'the status';
  if (place.startsWith('header ')) return `the header ${place.slice('header '.length)}`;
  return place.slice(1).replaceAll('/', '.');
}

/** A place in a response with its name as code: `error.type`, the header `x-trace-id`. */
export function quotedPlace(place: string): string {
  if (place === 'status' || place === 'body') return placeName(place);
  return place.startsWith('header ')
    ? `the header \`${place.slice('header '.length)}\``
    : `\`${placeName(place)}\``;
}

/** A value from the gateway as JSON, shortened, with what is not seen shown as escapes. */
export function showValue(value: unknown): string {
  return value === undefined ? 'nothing' : oneLine(JSON.stringify(value), 160);
}

/** The longest text in a finding that a report shows. */
const longest = 500;

/** A finding as reports show it: redacted before anything of it is cut, so that no piece of a key stays at a cut. */
export function describeFinding(
  { exchange, finding }: { readonly exchange: string; readonly finding: Finding },
  redact: Redact,
): FindingReport {
  const shown = redactAll(finding, (text) => shorten(redact(text)));
  return { exchange, message: wordFinding(shown), finding: shown };
}

function shorten(text: string): string {
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}…` : text;
}

/** What came on a request, in a line: the status and at most `longest` characters of the body, or why nothing came. */
export function wordAnswer(
  { response, failure }: Pick<ExchangeReport, 'response' | 'failure'>,
  longest: number,
): string {
  if (!response) return `no answer: ${oneLine(failure?.detail ?? '', longest)}`;
  const body = oneLine(response.body.text.replace(/\s+/g, ' '), longest);
  return `${response.status} ${body || '(no body)'}`;
}
