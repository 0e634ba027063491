import { pluralize } from '../../common/lists.ts';
import type { ResponseLocation } from '../catalog/expectation.ts';
import type { Finding, SingleFinding } from '../judge/finding.ts';
import {
  findMissingMember,
  formatPathRule,
  formatProblem,
  formatSchemaProblem,
  getFirstStatus,
  placeInResponse,
  placeName,
  showValue,
} from './format-value.ts';

/** The texts that reports show for a finding. */
export interface FindingTexts {
  /** The expected and the received value, as a sentence without its full stop. */
  readonly message: string;
  /**
   * A text that identifies the symptom among findings of the same kind. For example, the text of `wrong-value` omits
   * the received value.
   */
  readonly symptom: string;
  /** The message without the values that differ between findings with the same symptom. Default: `message`. */
  readonly seen?: string;
  /**
   * The place in the response: a JSON pointer, `status`, `body` or `header NAME`; absent if the finding is not about
   * a place in a response.
   */
  readonly place?: string;
  /** The name of the place if `place` is absent. */
  readonly label?: string;
  /** The expected value, for display next to the received value. */
  readonly expected: string;
  readonly received: string;
  /** The place to check first, and the expected value there. Default: `place` and `expected`. */
  readonly lookAt?: string;
  /** The note at the place in a displayed response. Default: the word `expected` and the expected value. */
  readonly note?: string;
}

type Table = {
  readonly [K in SingleFinding['kind']]: (finding: Extract<SingleFinding, { kind: K }>) => FindingTexts;
};

const table: Table = {
  'wrong-status': ({ expected, actual }) => ({
    message: `expected ${/^\d/.test(expected) ? 'status ' : ''}${expected}, got ${actual}`,
    symptom: `${getFirstStatus(expected)} ${actual}`,
    place: 'status',
    expected,
    received: String(actual),
  }),
  'no-response': () => ({
    message: 'expected a response, but the connection was closed each time',
    symptom: '',
    seen: 'the connection was closed each time',
    place: 'status',
    expected: 'a response',
    received: 'none',
    lookAt: 'the connection, which was closed without a response',
  }),
  'not-offered': ({ request }) => ({
    message: `according to the profile, the gateway does not offer ${request}`,
    symptom: request,
    seen: `The gateway does not offer ${request}, according to the profile`,
    label: 'the operations in the profile',
    expected: request,
    received: 'not offered',
    lookAt: '`operations` in the profile: the gateway does not offer an operation that it must offer',
  }),
  'wrong-type': ({ place = '/error/type', expected, actual }) =>
    wrongMember(place, expected, showValue(actual)),
  'wrong-code': ({ expected, actual }) => wrongMember('/error/code', expected, showValue(actual)),
  'not-json': ({ place, actual, reason }) => {
    const received = actual === '' ? 'an empty body' : showValue(actual) + (reason ? ` (${reason})` : '');
    const expected = place === 'body' ? 'JSON' : `JSON with ${placeName(place)}`;
    return {
      message: `expected ${expected}, got ${received}`,
      symptom: reason ?? '',
      seen: `the response body is not JSON${reason ? `: ${reason}` : ''}`,
      place: 'body', // A body that is not JSON has no members.
      expected,
      received,
      ...(reason && { lookAt: `the response body (${reason})` }),
    };
  },
  missing: ({ place }) => ({
    message: `${placeName(place)} is missing`,
    symptom: place,
    place,
    expected: 'present',
    received: 'missing',
    lookAt: `${placeInResponse(place)} (missing)`,
    note: `${placeName(place)} is missing`,
  }),
  'wrong-value': ({ place, expected, actual }) => ({
    message: `${placeName(place)} ${formatProblem(expected)}, got ${showValue(actual)}`,
    symptom: `${place} ${expected}`,
    seen: `${placeName(place)} ${formatProblem(expected)}`,
    place,
    expected: formatProblem(expected),
    received: showValue(actual),
    lookAt: `${placeInResponse(place)} (${formatProblem(expected)})`,
    note: formatProblem(expected),
  }),
  'breaks-schema': ({ place, schema, problem, actual }) => {
    const isMissing = actual === undefined || findMissingMember(problem) !== undefined;
    const got = isMissing ? '' : `, got ${showValue(actual)}`;
    return {
      message: `${formatSchemaProblem(place, problem)}${got} (schema ${schema})`,
      symptom: `${schema} ${place} ${problem}`,
      seen: formatSchemaProblem(place, problem),
      place,
      expected: formatProblem(problem),
      received: showValue(actual),
      lookAt: `${placeInResponse(place)} (${formatProblem(problem)})`,
      note: `${formatProblem(problem)} (schema ${schema})`,
    };
  },
  'not-equal': ({ place, actual, other, expected }) => ({
    message: `${placeName(place)} is ${showValue(actual)}, but ${placeName(other)} is ${showValue(expected)}`,
    symptom: `${place} ${other}`,
    seen: `${placeName(place)} is not the same as ${placeName(other)}`,
    place,
    expected: `the same as ${placeName(other)}, ${showValue(expected)}`,
    received: showValue(actual),
  }),
  'wrong-media-type': ({ expected, actual }) => ({
    message: `expected a ${expected.toUpperCase()} content type, got ${actual === undefined ? 'none' : showValue(actual)}`,
    symptom: `${expected} ${actual}`,
    place: 'header content-type',
    expected: expected.toUpperCase(),
    received: actual === undefined ? 'missing' : showValue(actual),
  }),
  'names-nothing': ({ expected, message }) => ({
    message: `expected a message that names ${expected}, got ${showValue(message)}`,
    symptom: '',
    seen: 'the message does not name the cause of the error',
    place: '/error/message',
    expected: `a message that names ${expected}`,
    received: showValue(message),
  }),
  'only-error': ({ expected, actual }) => ({
    message: `the response body must have ${expected}, not only an error, got ${showValue(actual)}`,
    symptom: expected,
    seen: `the response body must have ${expected}, not only an error`,
    place: 'body',
    expected: `must have ${expected}, not only an error`,
    received: showValue(actual),
  }),
  'model-not-listed': ({ model }) => ({
    message: `the model list does not contain ${showValue(model)}, which was called successfully`,
    symptom: '',
    place: 'body',
    expected: `${showValue(model)}, which was called successfully`,
    received: 'not in the list',
  }),
  'model-listed': ({ model }) => ({
    message: `the model list contains ${showValue(model)}, which was generated for this run`,
    symptom: '',
    place: 'body',
    expected: `no ${showValue(model)}, which was generated`,
    received: 'in the list',
  }),
  'one-part': () => ({
    message: 'the streamed response arrived in one part',
    symptom: '',
    place: 'body',
    expected: 'several parts',
    received: 'one part',
  }),
  'no-error-event': () => ({
    message: 'the stream contains model output instead of an error',
    symptom: '',
    place: 'body',
    expected: 'an error in the stream',
    received: 'model output',
  }),
  'wrong-path': ({ pattern, actual }) => ({
    message: `expected a path that ${formatPathRule(pattern)}, but the profile has ${actual}`,
    symptom: pattern,
    seen: `the path ${formatPathRule(pattern, 'negated')}`,
    label: 'the path in the profile',
    expected: `a path that ${formatPathRule(pattern)}`,
    received: actual,
  }),
  'wrong-attribute': ({ name, expected, actual }) => ({
    message: `expected ${name === 'keyPrefix' ? 'the prefix of an accepted key' : name} to be ${expected}, got ${actual ?? 'nothing'}`,
    symptom: `${name} ${expected} ${actual}`,
    label: name,
    expected,
    received: actual ?? 'nothing',
  }),
  'never-happened': ({ wanted, answers }) => ({
    message: `expected at least one response with ${wanted}, but received none in ${pluralize(answers, 'response')}`,
    symptom: wanted,
    label: 'all responses',
    expected: `at least one response with ${wanted}`,
    received: `none in ${pluralize(answers, 'response')}`,
  }),
  happened: ({ unwanted, actual }) => ({
    message: `expected any status except ${unwanted}, got ${actual}`,
    symptom: `${unwanted} ${actual}`,
    place: 'status',
    expected: `any status except ${unwanted}`,
    received: String(actual),
  }),
  differs: ({ place, values }) => {
    const received = [...new Set(values.map(showValue))].join(', ');
    return {
      message: `${placeName(place)} differs between the responses: ${received}`,
      symptom: place,
      place,
      expected: 'the same in every response',
      received,
    };
  },
  repeats: ({ place, value, times }) => ({
    message: `${placeName(place)} is ${showValue(value)} in ${times} responses`,
    symptom: place,
    place,
    expected: 'a different value in every response',
    received: `${showValue(value)} in ${times} responses`,
  }),
};

function wrongMember(place: ResponseLocation, values: readonly string[], received: string): FindingTexts {
  const expected = values.join(' or ');
  const name = placeName(place);
  return {
    message: `expected ${name} ${expected}, got ${received}`,
    symptom: received,
    seen: `${name} is ${received}`,
    place,
    expected,
    received,
    lookAt: `${placeInResponse(place)} (expected: ${values.map((value) => `\`${value}\``).join(' or ')})`,
  };
}

export function textsOf(finding: SingleFinding): FindingTexts {
  return textsOfKind(finding, finding.kind);
}

function textsOfKind<K extends SingleFinding['kind']>(
  finding: Extract<SingleFinding, { kind: K }>,
  kind: K,
): FindingTexts {
  return table[kind](finding);
}

/** Returns the expected and the received value as a sentence without its full stop. Joins alternatives with `or`. */
export function formatFinding(finding: Finding): string {
  return finding.kind === 'none-of-several'
    ? finding.alternatives.map((list) => list.map(formatFinding).join(' and ')).join('; or ')
    : textsOf(finding).message;
}

/** Returns the places in a response that a finding concerns, in all of its alternatives, without duplicates. */
export function placesOf(finding: Finding): string[] {
  if (finding.kind === 'none-of-several') return [...new Set(finding.alternatives.flat().flatMap(placesOf))];
  const { place } = textsOf(finding);
  return place === undefined ? [] : [place];
}
