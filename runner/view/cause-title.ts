import { upperFirst } from '../../common/letter-case.ts';
import { formatList, groupBy } from '../../common/lists.ts';
import { formatOneLine } from '../../common/printable.ts';
import { attributesOfPackage } from '../catalog/attributes.ts';
import { hasOnlyError } from '../exchange/decode.ts';
import { isBadCredential, isOverlapping, type Subject } from '../judge/subject.ts';
import { getFirstStatus } from '../judge/words.ts';
import type { CaseReport } from '../report/report.ts';
import type { Scope } from './cause-key.ts';
import type { FailedResponse } from './failures.ts';
import { sometimes } from './reproduction.ts';
import { phraseOfValue, usualValues } from './value-words.ts';

/** The maximum number of values that a title names. */
const maxNamed = 4;
const longest = 160;

/**
 * Formats the title of a cause: a sentence of at most 160 characters, without its full stop. `condition` is the state in
 * which the requests fail, with a space at the beginning; empty if it makes no difference, undefined if that is not known.
 */
export function formatCauseTitle(
  failures: readonly FailedResponse[],
  scope: Scope,
  { condition, cases }: { readonly condition: string | undefined; readonly cases: readonly CaseReport[] },
): string {
  const [first] = failures;
  const overlap = failures.every((one) => isOverlapping(one.attributes))
    ? ' while other requests are under way'
    : '';
  // What requests share that fail because of the state of the gateway is chance.
  const shared = condition ? [] : listShared(failures, cases).map((text) => ` ${text}`);
  const when = shared.join('') + (condition ?? overlap);
  return first ? formatOneLine(titleOfKind(failures, first, scope, when), longest) : '';
}

/** The properties that a title names if all requests have the same unusual one. */
const namedIfShared = ['added', 'accept', 'transfer'] as const;

/**
 * Returns the unusual properties that all requests share. If no case has the usual value, as in the traffic of one
 * client, the property says nothing.
 */
export function listShared(failures: readonly FailedResponse[], cases: readonly CaseReport[]): string[] {
  return namedIfShared.flatMap((attribute) => {
    const usual: readonly string[] = usualValues[attribute];
    const [value, ...others] = new Set(failures.map(({ attributes }) => attributes[attribute]));
    const isNamed =
      value !== undefined &&
      others.length === 0 &&
      !usual.includes(value) &&
      cases.some(({ attributes }) => usual.includes(attributes[attribute] ?? ''));
    return isNamed ? [phraseOfValue(attribute, value)] : [];
  });
}

function titleOfKind(
  failures: readonly FailedResponse[],
  first: FailedResponse,
  { subject, isCombined }: Scope,
  when: string,
): string {
  if (subject === 'after-refusal')
    return 'The body of a refused request is not read, and is taken for the next request on the connection';
  switch (first.kind) {
    case 'unauthorized-access':
      return `${formatAccepted(failures, subject)}${formatOperations(failures)}${when}${formatOtherCredentials(failures, subject)}`;
    case 'invalid-accepted':
      return `${phraseOf(failures, subject)} succeed${when}${formatGivenValues(failures, subject)}`;
    case 'valid-request-fails':
    case 'server-error':
    case 'wrong-status':
      return statusTitle(
        failures,
        first,
        `${phraseOf(failures, subject)}${isCombined ? ' and with an invalid body or model' : ''}`,
        when,
      );
    case 'not-json':
      return bodyTitle(failures, when);
    case 'wrong-type':
      return typeTitle(failures) + when.replace(sometimes, '');
    case 'wrong-detail':
      // `must be … sometimes` would read as the rule.
      return detailTitle(failures) + when.replace(sometimes, '');
  }
}

/** Whether a limit is enforced with 429, but not with the body that is required. */
function isOtherLimit(failures: readonly FailedResponse[]): boolean {
  return failures.every(
    ({ findings, evidence }) =>
      evidence?.response?.status === 429 &&
      findings.every(({ finding }) => finding.kind === 'never-happened'),
  );
}

/** Whether the connection was closed before the end of the response. */
function isBroken(failures: readonly FailedResponse[]): boolean {
  return failures.every(({ findings }) =>
    findings.some(({ finding: { kind } }) => kind === 'cut-response' || kind === 'no-response'),
  );
}

function listNotOffered(failures: readonly FailedResponse[]): string[] {
  const requests = failures.flatMap(({ findings }) =>
    findings.flatMap(({ finding }) => (finding.kind === 'not-offered' ? [finding.request] : [])),
  );
  return [...new Set(requests)];
}

/** Formats that an invalid credential is accepted: `The first half of a key is accepted`. */
function formatAccepted(failures: readonly FailedResponse[], subject: Scope['subject']): string {
  const [key, ...otherKeys] = valuesOf(failures, 'key');
  const words = key === undefined || otherKeys.length > 0 ? undefined : wordsOfKey(key);
  switch (subject) {
    case 'wrong-key':
    case 'deleted-key':
    case 'empty-key':
      return words === undefined ? 'Wrong keys are accepted' : `${upperFirst(words)} is accepted`;
    case 'misplaced-key':
    case 'malformed-credential': {
      const places = valuesOf(failures, 'header').map(
        (place) => attributesOfPackage().places.get(place)?.says ?? place,
      );
      return `A key ${joinFirst(places, ', ', 'or')} is accepted`;
    }
    default:
      return `${phraseOf(failures, subject)} succeed`;
  }
}

function statusTitle(
  failures: readonly FailedResponse[],
  { symptom: { status, seen }, evidence, subject }: FailedResponse,
  phrase: string,
  when: string,
): string {
  const missing = listNotOffered(failures);
  if (missing.length > 0)
    return `The gateway does not offer ${joinFirst(missing, ', ', 'or')}, according to the profile`;
  if (!status)
    return isBroken(failures)
      ? `${phrase}${formatOperations(failures)}${when}: ${seen}`
      : `${capitalize(isOtherLimit(failures) ? 'the 429 response to too many requests has another body' : seen)}${when}`;
  const expected = failures.map((failure) => getFirstStatus(failure.symptom.status?.expected ?? ''));
  const [only = ''] = expected;
  const instead = new Set(expected).size === 1 && /^\d{3}$/.test(only) ? ` instead of ${only}` : '';
  const isError = status.actual < 300 && hasOnlyError(evidence?.response?.body.text ?? '');
  const inBody = isError ? ' with an error in the body' : '';
  const where = subject === 'valid-request' ? formatOperations(failures) : '';
  return `${phrase} get ${status.actual}${inBody}${instead}${where}${when}`;
}

function bodyTitle(failures: readonly FailedResponse[], when: string): string {
  const subjects = [...new Set(failures.map(({ subject }) => subject))];
  const common = subjects.every(isBadCredential) ? 'bad-credential' : 'unknown';
  const [only = common, ...others] = subjects;
  const phrase = phraseOf(failures, others.length === 0 ? only : common);
  return `${phrase}${formatOperations(failures)}${when}: the response body is not JSON`;
}

/** Formats a wrong type: the requests if they have one subject, and what the type should be if it is always the same. */
function typeTitle(failures: readonly FailedResponse[]): string {
  const [subject, ...others] = new Set(failures.map((failure) => failure.subject));
  const isNamed = subject !== undefined && others.length === 0 && subject !== 'unknown';
  const expected = new Set(
    failures.flatMap(({ findings }) =>
      findings.map(({ finding }) =>
        finding.kind === 'wrong-type' || finding.kind === 'wrong-code' ? finding.expected.join('` or `') : '',
      ),
    ),
  );
  const [only, ...further] = expected;
  const seen = detailTitle(failures);
  const instead = only && further.length === 0 && / is ("|null)/.test(seen) ? ` instead of \`${only}\`` : '';
  return isNamed ? `${phraseOf(failures, subject)}: ${seen}${instead}` : seen + instead;
}

function detailTitle(failures: readonly FailedResponse[]): string {
  const seen = joinFirst([...new Set(failures.map(({ symptom }) => symptom.seen))], '; ');
  return capitalize(seen);
}

/** Capitalizes `the` or `expected` at the beginning. The name of a member at the beginning remains unchanged. */
function capitalize(text: string): string {
  return /^(?:the|expected) /.test(text) ? upperFirst(text) : text;
}

function phraseOf(failures: readonly FailedResponse[], subject: Scope['subject']): string {
  const keys = valuesOf(failures, 'key');
  const [key] = keys;
  if (subject === 'wrong-key' && keys.length === 1 && key !== undefined)
    return `Requests with ${wordsOfKey(key) ?? 'a wrong key'}`;
  const places = valuesOf(failures, 'header');
  if ((subject === 'misplaced-key' || subject === 'malformed-credential') && places.length > 0)
    return `Requests with the key ${joinFirst(
      places.map((place) => attributesOfPackage().places.get(place)?.says ?? place),
      ', ',
      'or',
    )}`;
  const members = valuesOf(failures, 'member').filter((member) => member !== 'none');
  if (subject === 'invalid-body' && members.length > 0) {
    const faults = valuesOf(failures, 'fault');
    const named = joinFirst(
      members.map((member) => `\`${member}\``),
      ', ',
      'or',
    );
    return `Requests ${(faults.length === 1 && invalidWords[faults[0] ?? '']) || 'with invalid'} ${named}`;
  }
  if (subject === 'not-json' && failures.every(({ attributes }) => attributes.fault === 'empty-body'))
    return 'Requests with an empty body';
  const own = new Set<Subject>(failures.map((failure) => failure.subject));
  const [only] = own;
  if (subject === 'bad-credential' && only !== undefined && own.size === 1) return phraseOf(failures, only);
  return subjectWords[subject] + (subject === 'valid-request' ? formatHeader(places) : '');
}

/** The words before an invalid member, by the fault that all requests have. */
const invalidWords: Readonly<Record<string, string>> = {
  missing: 'without',
  empty: 'with empty',
  'wrong-type': 'with wrongly typed',
};

/** Returns the noun phrase for a kind of key; `changed` is the kind of the generated keys. */
function wordsOfKey(kind: string): string | undefined {
  return kind === 'changed' ? 'a key changed in one place' : attributesOfPackage().keyKinds.get(kind)?.says;
}

/** Formats the header of the key in valid requests; empty if the header is unknown, `any`, or not always the same. */
function formatHeader([place, ...others]: readonly string[]): string {
  return place === undefined || place === 'any' || others.length > 0
    ? ''
    : ` with the key in \`${headerNames.get(place) ?? place}\``;
}

const headerNames: ReadonlyMap<string, string> = new Map([['bearer', 'Authorization']]);

function formatOtherCredentials(failures: readonly FailedResponse[], subject: Scope['subject']): string {
  if (subject === 'no-credential') {
    const others = new Set(failures.map((failure) => failure.subject));
    const served = [...credentialWords].flatMap(([other, words]) => (others.has(other) ? [words] : []));
    return served.length > 0 ? `, like requests with ${joinFirst(served, ', ', 'or')}` : '';
  }
  const keys = valuesOf(failures, 'key');
  return subject === 'wrong-key' && keys.length > 1
    ? `: ${joinFirst(keys.map((key) => wordsOfKey(key) ?? key))}`
    : '';
}

/** The attributes whose values say what is wrong with the requests of a subject. */
const valueAttributes: Readonly<Partial<Record<Scope['subject'], string>>> = {
  'not-json': 'given',
  'unlisted-model': 'given',
  image: 'given',
  'invalid-record': 'record',
  'invalid-range': 'range',
};

function formatGivenValues(failures: readonly FailedResponse[], subject: Scope['subject']): string {
  const attribute = valueAttributes[subject];
  const values = attribute ? valuesOf(failures, attribute).filter((value) => value !== 'none') : [];
  return attribute && values.length > 0
    ? `: ${joinFirst(values.map((value) => phraseOfValue(attribute, value)))}`
    : '';
}

function formatOperations(failures: readonly FailedResponse[]): string {
  const operations = valuesOf(failures, 'operation').map((id) =>
    isSeenStreamedOnly(failures, id) ? `\`${id}\` (streamed)` : `\`${id}\``,
  );
  if (operations.length === 0) return '';
  return ` on ${operations.length > maxNamed ? `${operations.length} operations` : joinFirst(operations, ', ', 'and')}`;
}

/**
 * Whether an operation failed only in streamed requests. False for `streamGenerate`, whose requests are all streamed.
 */
function isSeenStreamedOnly(failures: readonly FailedResponse[], operation: string): boolean {
  const own = failures.filter(({ attributes }) => attributes.operation === operation);
  return operation !== 'streamGenerate' && own.every(({ attributes }) => attributes.streamed === 'true');
}

/** Returns the values of an attribute, the most frequent first. */
function valuesOf(failures: readonly FailedResponse[], attribute: string): string[] {
  const values = failures.flatMap(({ attributes }) => attributes[attribute] ?? []);
  return groupBy(values, (value) => value)
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([value]) => value);
}

/** Joins texts; of more than `maxNamed`, only the first two, and the number of the others. */
function joinFirst(texts: readonly string[], separator = ', ', last?: string): string {
  // `and 1 more` is as long as its name.
  if (texts.length > maxNamed + 1) return `${texts.slice(0, 2).join(separator)} and ${texts.length - 2} more`;
  return last === undefined ? texts.join(separator) : formatList(texts, last);
}

/** For each subject, the phrase that names the requests with this subject at the beginning of a sentence. */
export const subjectWords: Readonly<Record<Scope['subject'], string>> = {
  'no-credential': 'Requests without a key',
  'empty-key': 'Requests with an empty key',
  'wrong-key': 'Requests with a wrong key',
  'deleted-key': 'Requests with a deleted key',
  'misplaced-key': 'Requests with the key outside the accepted headers',
  'malformed-credential': 'Requests with a malformed `Authorization`',
  'bad-credential': 'Requests without a valid credential',
  'depleted-account': 'Calls from an account without a balance',
  'foreign-record': 'Requests for a record of another account',
  'not-json': 'Requests whose body is not JSON',
  'invalid-body': 'Requests with an invalid body',
  image: 'Images for a text-only model',
  'unlisted-model': 'Calls to a model that does not exist',
  'unsupported-model': 'Calls to a model that is not supported',
  'unavailable-model': 'Calls to a model that is temporarily unavailable',
  'mismatched-model': 'Calls to a model through the wrong protocol',
  'invalid-record': 'Requests with an invalid `request_id`',
  'absent-record': 'Requests for a record that does not exist',
  'invalid-range': 'Requests with an invalid time range',
  'wrong-method': 'Requests with a method that no operation has',
  'unknown-path': 'Requests for a path that no operation has',
  'valid-request': 'Valid requests',
  'after-refusal': 'Valid requests after a refused request with a body',
  unknown: 'Requests',
};

/** The noun phrase for each kind of invalid credential, except a missing credential. */
export const credentialWords: ReadonlyMap<Subject, string> = new Map([
  ['wrong-key', 'a wrong key'],
  ['deleted-key', 'a deleted key'],
  ['empty-key', 'an empty key'],
  ['misplaced-key', 'the key in another place'],
  ['malformed-credential', 'a malformed `Authorization`'],
]);
