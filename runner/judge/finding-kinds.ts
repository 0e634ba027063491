import { formatList, pluralize } from '../../common/lists.ts';
import type { ResponseLocation } from '../catalog/expectation.ts';
import { isSuccess } from '../exchange/exchange.ts';
import type { FailureKind } from './severity.ts';
import {
  findMissingMember,
  formatPathRule,
  formatProblem,
  formatSchemaProblem,
  getFirstStatus,
  placeInResponse,
  placeName,
  showValue,
} from './words.ts';

/** What the project knows of a kind of finding. `Data` is the content of a finding of the kind. */
export interface FindingKind<Data> {
  /** The severity of a finding by itself. */
  readonly severity: (data: Data) => FailureKind;
  /** What a finding shows about the request; undefined if the gateway may have served or refused it. */
  readonly treatment: (data: Data) => Treatment;
  /** The received status, if it is wrong. Other findings of the response then follow from it. */
  readonly status: (data: Data) => number | undefined;
  readonly texts: (data: Data) => FindingTexts;
}

/** What the gateway did with a request. */
export type Treatment = 'served' | 'refused' | undefined;

/** The texts that reports show for a finding. */
export interface FindingTexts {
  /** The expected and the received value, as a sentence without its full stop. */
  readonly message: string;
  /**
   * A text that identifies the symptom among findings of the same kind. For example, the text of `wrong-value` omits
   * the received value.
   */
  readonly symptom: string;
  /** The message without the values that differ between findings with the same symptom. */
  readonly seen: string;
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
  /** The place to check first, and the expected value there. */
  readonly lookAt: string;
  /** The note next to the place in a response that is shown. */
  readonly note: string;
}

/**
 * Every kind of finding, one row each: its data, its severity and its texts. A finding is its kind with its data.
 * `none-of-several`, which contains other findings, is the only kind without a row.
 */
export const findingKinds = {
  'wrong-status': kind<{ readonly expected: string; readonly actual: number }>({
    severity: ({ actual }) => severityOfStatus(actual),
    status: ({ actual }) => actual,
    treatment: ({ expected, actual }) => {
      if (isSuccess(actual)) return 'served';
      // A valid request can have to fail, for example to show the error body of a 500.
      return /^[345]/.test(expected) ? undefined : 'refused';
    },
    texts: ({ expected, actual }) => ({
      message: `expected ${/^\d/.test(expected) ? 'status ' : ''}${expected}, got ${actual}`,
      symptom: `${getFirstStatus(expected)} ${actual}`,
      place: 'status',
      expected,
      received: String(actual),
    }),
  }),
  happened: kind<{ readonly unwanted: string; readonly actual: number }>({
    severity: ({ actual }) => severityOfStatus(actual),
    status: ({ actual }) => actual,
    treatment: ({ actual }) => (isSuccess(actual) ? 'served' : 'refused'),
    texts: ({ unwanted, actual }) => ({
      message: `expected any status except ${unwanted}, got ${actual}`,
      symptom: `${unwanted} ${actual}`,
      place: 'status',
      expected: `any status except ${unwanted}`,
      received: String(actual),
    }),
  }),
  'never-happened': kind<{ readonly wanted: string; readonly answers: number }>({
    severity: 'wrong-status',
    texts: ({ wanted, answers }) => ({
      message: `expected at least one response with ${wanted}, but received none in ${pluralize(answers, 'response')}`,
      symptom: wanted,
      label: 'all responses',
      expected: `at least one response with ${wanted}`,
      received: `none in ${pluralize(answers, 'response')}`,
    }),
  }),
  /** In every attempt, the gateway closed the connection before a response began. */
  'cut-response': kind({
    severity: 'server-error',
    treatment: 'refused',
    texts: () => ({
      message: 'expected a complete response, but the connection was closed before its end each time',
      symptom: '',
      seen: 'the response was cut off each time',
      place: 'status',
      expected: 'a complete response',
      received: 'a part of it',
      lookAt: 'the connection, which was closed before the end of the response',
    }),
  }),
  'no-response': kind({
    severity: 'server-error',
    treatment: 'refused',
    texts: () => ({
      message: 'expected a response, but the connection was closed each time',
      symptom: '',
      seen: 'the connection was closed each time',
      place: 'status',
      expected: 'a response',
      received: 'none',
      lookAt: 'the connection, which was closed without a response',
    }),
  }),
  /** According to the profile, the gateway does not offer the request. No exchange shows it. */
  'not-offered': kind<{ readonly request: string }>({
    treatment: 'refused',
    texts: ({ request }) => ({
      message: `according to the profile, the gateway does not offer ${request}`,
      symptom: request,
      seen: `The gateway does not offer ${request}, according to the profile`,
      label: 'the operations in the profile',
      expected: request,
      received: 'not offered',
      lookAt: '`operations` in the profile: the gateway does not offer an operation that it must offer',
    }),
  }),
  /** A member or header that the profile declares absent. */
  present: kind<{ readonly place: ResponseLocation; readonly actual: unknown }>({
    severity: 'wrong-detail',
    texts: ({ place, actual }) => ({
      message: `expected no ${placeName(place)}, as declared, got ${showValue(actual)}`,
      symptom: place,
      seen: `${placeName(place)} is present`,
      place,
      expected: 'absent, as declared',
      received: showValue(actual),
    }),
  }),
  /** A response that the specification demands, though the profile declares another one. */
  'not-as-declared': kind<{ readonly declared: string }>({
    severity: 'wrong-detail',
    texts: ({ declared }) => ({
      message: `expected what the profile declares (${declared}), got what the specification demands`,
      symptom: declared,
      seen: 'the response is as specified, not as declared',
      label: 'the deviations in the profile',
      expected: `as declared: ${declared}`,
      received: 'as specified',
    }),
  }),
  'wrong-type': kind<{
    /** The location of the type; undefined for `/error/type`. */
    readonly place?: ResponseLocation;
    readonly expected: readonly string[];
    readonly actual: unknown;
  }>({
    // Programs read the type and the code of an error first.
    severity: 'wrong-type',
    texts: ({ place = '/error/type', expected, actual }) => wrongMember(place, expected, actual),
  }),
  'wrong-code': kind<{ readonly expected: readonly string[]; readonly actual: unknown }>({
    severity: 'wrong-type',
    texts: ({ expected, actual }) => wrongMember('/error/code', expected, actual),
  }),
  'not-json': kind<{
    readonly place: ResponseLocation;
    readonly actual: string;
    /** The reason why a body that looks like JSON is not JSON, such as `the body is not valid UTF-8`. */
    readonly reason?: string;
  }>({
    severity: 'not-json',
    texts: ({ place, actual, reason }) => {
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
  }),
  missing: kind<{ readonly place: ResponseLocation }>({
    texts: ({ place }) => ({
      message: `${placeName(place)} is missing`,
      symptom: place,
      place,
      expected: 'present',
      received: 'missing',
      lookAt: `${placeInResponse(place)} (missing)`,
      note: `${placeName(place)} is missing`,
    }),
  }),
  'wrong-value': kind<{
    readonly place: ResponseLocation;
    readonly expected: string;
    readonly actual: unknown;
  }>({
    texts: ({ place, expected, actual }) => ({
      message: `${placeName(place)} ${formatProblem(expected)}, got ${showValue(actual)}`,
      symptom: `${place} ${expected}`,
      seen: `${placeName(place)} ${formatProblem(expected)}`,
      place,
      expected: formatProblem(expected),
      received: showValue(actual),
      lookAt: `${placeInResponse(place)} (${formatProblem(expected)})`,
      note: formatProblem(expected),
    }),
  }),
  'breaks-schema': kind<{
    readonly place: ResponseLocation;
    readonly schema: string;
    readonly problem: string;
    readonly actual: unknown;
  }>({
    texts: ({ place, schema, problem, actual }) => {
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
  }),
  'not-equal': kind<{
    readonly place: ResponseLocation;
    readonly actual: unknown;
    readonly other: ResponseLocation;
    readonly expected: unknown;
  }>({
    texts: ({ place, actual, other, expected }) => ({
      message: `${placeName(place)} is ${showValue(actual)}, but ${placeName(other)} is ${showValue(expected)}`,
      symptom: `${place} ${other}`,
      seen: `${placeName(place)} is not the same as ${placeName(other)}`,
      place,
      expected: `the same as ${placeName(other)}, ${showValue(expected)}`,
      received: showValue(actual),
    }),
  }),
  'wrong-media-type': kind<{ readonly expected: string; readonly actual: string | undefined }>({
    texts: ({ expected, actual }) => ({
      message: `expected a ${expected.toUpperCase()} content type, got ${actual === undefined ? 'none' : showValue(actual)}`,
      symptom: `${expected} ${actual}`,
      place: 'header content-type',
      expected: expected.toUpperCase(),
      received: actual === undefined ? 'missing' : showValue(actual),
    }),
  }),
  'names-nothing': kind<{ readonly expected: string; readonly message: string }>({
    texts: ({ expected, message }) => ({
      message: `expected a message that names ${expected}, got ${showValue(message)}`,
      symptom: '',
      seen: 'the message does not name the cause of the error',
      place: '/error/message',
      expected: `a message that names ${expected}`,
      received: showValue(message),
    }),
  }),
  /** The messages about different invalid members are the same text. */
  'same-message': kind<{ readonly message: string; readonly members: readonly string[] }>({
    texts: ({ message, members }) => ({
      message: `expected different messages about ${formatMembers(members)}, got ${showValue(message)} for each`,
      symptom: '',
      seen: 'the messages about different members are the same',
      place: '/error/message',
      expected: `different messages about ${formatMembers(members)}`,
      received: `${showValue(message)} for each`,
    }),
  }),
  /** A successful response to a valid request contains only an error instead of `expected`. */
  'only-error': kind<{ readonly expected: 'data' | 'model output'; readonly actual: unknown }>({
    treatment: 'refused',
    texts: ({ expected, actual }) => ({
      message: `the response body must have ${expected}, not only an error, got ${showValue(actual)}`,
      symptom: expected,
      seen: `the response body must have ${expected}, not only an error`,
      place: 'body',
      expected: `must have ${expected}, not only an error`,
      received: showValue(actual),
    }),
  }),
  'model-not-listed': kind<{ readonly model: string }>({
    texts: ({ model }) => ({
      message: `the model list does not contain ${showValue(model)}, which was called successfully`,
      symptom: '',
      place: 'body',
      expected: `${showValue(model)}, which was called successfully`,
      received: 'not in the list',
    }),
  }),
  'model-listed': kind<{ readonly model: string }>({
    texts: ({ model }) => ({
      message: `the model list contains ${showValue(model)}, which was generated for this run`,
      symptom: '',
      place: 'body',
      expected: `no ${showValue(model)}, which was generated`,
      received: 'in the list',
    }),
  }),
  'one-part': kind({
    texts: () => ({
      message: 'the streamed response arrived in one part',
      symptom: '',
      place: 'body',
      expected: 'several parts',
      received: 'one part',
    }),
  }),
  'no-error-event': kind({
    severity: 'wrong-status',
    // A stream with model output instead of an error event counts as a success.
    treatment: 'served',
    texts: () => ({
      message: 'the stream contains model output instead of an error',
      symptom: '',
      place: 'body',
      expected: 'an error in the stream',
      received: 'model output',
    }),
  }),
  'wrong-path': kind<{ readonly pattern: string; readonly actual: string }>({
    texts: ({ pattern, actual }) => ({
      message: `expected a path that ${formatPathRule(pattern)}, but the profile has ${actual}`,
      symptom: pattern,
      seen: `the path ${formatPathRule(pattern, 'negated')}`,
      label: 'the path in the profile',
      expected: `a path that ${formatPathRule(pattern)}`,
      received: actual,
    }),
  }),
  'wrong-attribute': kind<{
    readonly name: string;
    readonly expected: string;
    readonly actual: string | undefined;
    /** The failure from the view of an SDK user; undefined if the finding is not about an SDK call. */
    readonly client?: ClientView;
  }>({
    severity: ({ name, client }) =>
      client?.severity ?? (name === 'the status' || name === 'status' ? 'wrong-status' : 'wrong-detail'),
    texts: ({ name, expected, actual }) => ({
      message: `expected ${name === 'keyPrefix' ? 'the prefix of an accepted key' : name} to be ${expected}, got ${actual ?? 'nothing'}`,
      symptom: `${name} ${expected} ${actual}`,
      label: name === 'keyPrefix' ? 'the keys that the gateway creates' : name,
      expected,
      received: actual ?? 'nothing',
    }),
  }),
  differs: kind<{ readonly place: ResponseLocation; readonly values: readonly unknown[] }>({
    severity: ({ place }) => (place === 'status' ? 'wrong-status' : severityAt(place)),
    texts: ({ place, values }) => {
      const received = [...new Set(values.map(showValue))].join(', ');
      return {
        message: `${placeName(place)} differs between the responses: ${received}`,
        symptom: place,
        place,
        expected: 'the same in every response',
        received,
      };
    },
  }),
  repeats: kind<{ readonly place: ResponseLocation; readonly value: unknown; readonly times: number }>({
    texts: ({ place, value, times }) => ({
      message: `${placeName(place)} is ${showValue(value)} in ${times} responses`,
      symptom: place,
      place,
      expected: 'a different value in every response',
      received: `${showValue(value)} in ${times} responses`,
    }),
  }),
};

/** A kind as its row states it. */
interface Row<Data> {
  /** Default: `wrong-type` at `/error/type`, otherwise `wrong-detail`. */
  readonly severity?: FailureKind | ((data: Data) => FailureKind);
  readonly treatment?: Treatment | ((data: Data) => Treatment);
  readonly status?: (data: Data) => number;
  readonly texts: (data: Data) => RowTexts;
}

/** Defaults: `message` for `seen`, the place and the expected value for `lookAt`, the expected value for `note`. */
type RowTexts = Omit<FindingTexts, 'seen' | 'lookAt' | 'note'> &
  Partial<Pick<FindingTexts, 'seen' | 'lookAt' | 'note'>>;

function kind<Data = object>({ severity, treatment, status, texts }: Row<Data>): FindingKind<Data> {
  return {
    severity: (data) => {
      if (typeof severity === 'function') return severity(data);
      return severity ?? severityAt(texts(data).place);
    },
    treatment: (data) => (typeof treatment === 'function' ? treatment(data) : treatment),
    status: (data) => status?.(data),
    texts: (data) => {
      const own = texts(data);
      const { message, place, label, expected } = own;
      const where = place === undefined ? label : placeInResponse(place);
      return {
        seen: message,
        lookAt: `${where} (expected: ${expected})`,
        note: `expected ${expected}`,
        ...own,
      };
    },
  };
}

/** A failure from the view of an SDK user. */
export interface ClientView {
  /** The names and versions of the packages of the SDK. */
  readonly sdk: string;
  /** A detail of the failure, such as `AuthenticationError is raised` or `the response has "x"`. */
  readonly effect?: string;
  /** The severity that a run gives to the failure. */
  readonly severity: FailureKind;
  /** The IDs of the requirements whose violation causes the failure; empty if no such violation is known. */
  readonly violates: readonly string[];
}

function formatMembers(members: readonly string[]): string {
  return formatList(
    members.map((member) => `\`${member}\``),
    'and',
  );
}

function severityOfStatus(actual: number): FailureKind {
  return actual >= 500 ? 'server-error' : 'wrong-status';
}

function severityAt(place: string | undefined): FailureKind {
  return place === '/error/type' ? 'wrong-type' : 'wrong-detail';
}

function wrongMember(place: ResponseLocation, values: readonly string[], actual: unknown): RowTexts {
  const expected = values.join(' or ');
  const name = placeName(place);
  const received = showValue(actual);
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
