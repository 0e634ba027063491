import { oneLine } from '../one-line.ts';
import { wordList } from '../word-list.ts';
import type { Scope } from './cause-key.ts';
import type { Failure } from './failures.ts';
import type { Subject } from './subject.ts';
import { plainStatus } from './symptom.ts';
import { credentialWords, keyWords, placeWords, subjectWords } from './words.ts';

/** How many values a title names before it counts the rest. */
const named = 3;
const longest = 160;

/** What went wrong, in a sentence without its full stop. */
export function titleOf(failures: readonly Failure[], scope: Scope): string {
  const [first] = failures;
  return first ? oneLine(titleOfKind(failures, first, scope), longest) : '';
}

function titleOfKind(failures: readonly Failure[], first: Failure, { subject, isCombined }: Scope): string {
  switch (first.kind) {
    case 'unauthorized-access':
      return `${phraseOf(failures, subject)} succeed ${onOperations(failures)}${alsoServed(failures, subject)}`;
    case 'invalid-accepted':
      return `${phraseOf(failures, subject)} succeed${givenIn(failures, subject)}`;
    case 'server-error':
    case 'wrong-status':
      return statusTitle(
        failures,
        first,
        `${phraseOf(failures, subject)}${isCombined ? ' and with an invalid body or model' : ''}`,
      );
    case 'wrong-type':
    case 'wrong-detail':
      return detailTitle(failures);
  }
}

function statusTitle(
  failures: readonly Failure[],
  { symptom: { status, seen }, evidence, subject }: Failure,
  phrase: string,
): string {
  if (!status) return seen;
  const expected = failures.map((failure) => plainStatus(failure.symptom.status?.expected ?? ''));
  const [only = ''] = expected;
  const instead = new Set(expected).size === 1 && /^\d{3}$/.test(only) ? ` instead of ${only}` : '';
  // Were it a success, it would be another kind of failure.
  const inBody = status.actual < 300 && evidence ? ' with an error in the body' : '';
  const where = subject === 'valid-request' ? ` ${onOperations(failures)}` : '';
  return `${phrase} are answered ${status.actual}${inBody}${instead}${where}`;
}

/** What was seen, each thing once. */
function detailTitle(failures: readonly Failure[]): string {
  return list([...new Set(failures.map(({ symptom }) => symptom.seen))], '; ');
}

/** The requests of some failures, as precisely as one phrase can. */
function phraseOf(failures: readonly Failure[], subject: Scope['subject']): string {
  const keys = valuesOf(failures, 'key');
  const [key] = keys;
  if (subject === 'wrong-key' && keys.length === 1 && key !== undefined)
    return `Requests with ${keyWords.get(key) ?? 'a wrong key'}`;
  const places = valuesOf(failures, 'header');
  if ((subject === 'misplaced-key' || subject === 'malformed-credential') && places.length > 0)
    return `Requests with the key ${list(
      places.map((place) => placeWords.get(place) ?? place),
      ', ',
      'or',
    )}`;
  const members = valuesOf(failures, 'member').filter((member) => member !== 'none');
  if (subject === 'invalid-body' && members.length > 0)
    return `Requests with an invalid ${list(
      members.map((member) => `\`${member}\``),
      ', ',
      'or',
    )}`;
  if (subject === 'not-json' && failures.every(({ facts }) => facts.fault === 'empty-body'))
    return 'Requests with an empty body';
  const own = new Set<Subject>(failures.map((failure) => failure.subject));
  const [only] = own;
  if (subject === 'bad-credential' && only !== undefined && own.size === 1) return phraseOf(failures, only);
  return subjectWords[subject] + (subject === 'valid-request' ? inHeader(places) : '');
}

/** In which header valid requests had their key, if it was always the same. */
function inHeader([place, ...others]: readonly string[]): string {
  return place === undefined || place === 'any' || others.length > 0
    ? ''
    : ` with the key in \`${headerNames.get(place) ?? place}\``;
}

const headerNames: ReadonlyMap<string, string> = new Map([['bearer', 'Authorization']]);

/** What the same operations serve too, where they look at no credential. */
function alsoServed(failures: readonly Failure[], subject: Scope['subject']): string {
  if (subject === 'no-credential') {
    const others = new Set(failures.map((failure) => failure.subject));
    const served = [...credentialWords].flatMap(([other, words]) => (others.has(other) ? [words] : []));
    return served.length > 0 ? `, and so do those with ${list(served, ', ', 'and')}` : '';
  }
  const keys = valuesOf(failures, 'key');
  return subject === 'wrong-key' && keys.length > 1
    ? `: ${list(keys.map((key) => keyWords.get(key) ?? key))}`
    : '';
}

function givenIn(failures: readonly Failure[], subject: Scope['subject']): string {
  const given = subject === 'not-json' ? valuesOf(failures, 'given').filter((value) => value !== 'none') : [];
  return given.length > 0 ? `: ${list(given)}` : '';
}

function onOperations(failures: readonly Failure[]): string {
  const operations = valuesOf(failures, 'operation').map((id) =>
    isSeenStreamedOnly(failures, id) ? `${id} (streamed)` : id,
  );
  return operations.length > named
    ? `on ${operations.length} operations`
    : `on ${list(operations, ', ', 'and')}`;
}

/** Whether an operation failed only when a stream was asked for; `streamGenerate` always is. */
function isSeenStreamedOnly(failures: readonly Failure[], operation: string): boolean {
  const own = failures.filter(({ facts }) => facts.operation === operation);
  return operation !== 'streamGenerate' && own.every(({ facts }) => facts.streamed === 'true');
}

function valuesOf(failures: readonly Failure[], fact: string): string[] {
  return [...new Set(failures.flatMap(({ facts }) => facts[fact] ?? []))];
}

/** The first of some texts, and how many more there are. */
function list(texts: readonly string[], separator = ', ', last?: string): string {
  const rest = texts.length - named;
  if (rest > 0) return `${texts.slice(0, named).join(separator)} and ${rest} more`;
  return last === undefined ? texts.join(separator) : wordList(texts, last);
}
