import { groupBy } from '../../common/lists.ts';
import { isKept } from '../judge/outcome.ts';
import { type FailureKind, findMostSevere, rankOf, type Severity } from '../judge/severity.ts';
import { isOverlapping } from '../judge/subject.ts';
import type { CaseReport, Report, RequirementReport } from '../report/report.ts';
import type { Reproduction } from '../report/reproduction.ts';
import { requestOf } from '../report/select-examples.ts';
import { findKeys, type Scope } from './cause-key.ts';
import { formatCauseTitle, listShared } from './cause-title.ts';
import {
  type FailedCheck,
  type FailedResponse,
  isDirect,
  isScattered,
  labelOf,
  requestsOf,
} from './failures.ts';
import { describeMixedUp } from './mixed-up.ts';
import { findOccurrence, type Occurrence } from './occurrence.ts';
import { findSharedState, formatCondition, sharedState } from './reproduction.ts';
import { severityLabels } from './signs.ts';
import { type Example, groupBySymptom, type SymptomGroup } from './symptom-groups.ts';

/** Failures that one change would probably fix: with the same severity, and with similar requests or responses. */
export interface Cause {
  /** The ID of the cause, such as `unauthorized-access no-credential`. */
  readonly id: string;
  readonly severity: Severity;
  /** The severity in words. */
  readonly label: string;
  readonly outcome: 'violates' | 'warns';
  /** The title: a sentence without its full stop. */
  readonly title: string;
  /** The part of the gateway or of the response to check first, as a text that follows `Look first at`. */
  readonly lookAt: string;
  /** The violated requirements: first that of the example, then the others in the order of the report. */
  readonly requirements: readonly RequirementReport[];
  /** The IDs of the failed cases. */
  readonly cases: readonly string[];
  /** The cases in which the requirements of the cause were judged. */
  readonly judged: readonly CaseReport[];
  /** The IDs of the failed requests. All attempts of a request count as one request. */
  readonly requests: readonly string[];
  /** Which of the judged requests fail. */
  readonly occurrence: Occurrence;
  /** What happened when a failed request was sent again; undefined if none was. */
  readonly reproduction: Reproduction | undefined;
  /** Which value belongs to another response, as a sentence without its full stop; empty if none is known to. */
  readonly mixedUp: string;
  /** Whether the failed requests are counted instead of the failed cases, for example for a pooled case. */
  readonly isPooled: boolean;
  /** The places in the responses: JSON pointers, `status`, `body` or `header NAME`. */
  readonly places: readonly string[];
  /** The symptoms, the most severe first, then the most frequent. The list is never empty. */
  readonly symptoms: readonly SymptomGroup[];
  /** The example of the first symptom that has an example; undefined if no symptom has an example. */
  readonly example: Example | undefined;
  /** The worst severity that the baseline accepts for these checks; undefined unless a check is worse. */
  readonly acceptedSeverity: Severity | undefined;
}

/** The minimum share of common requests with which two groups of wrong details of one severity count as one cause. */
const overlap = 0.9;

/**
 * Returns the causes of all failures that the baseline does not expect, sorted by severity, then by the number of
 * requests, then by the number of cases.
 */
export function findCauses(
  report: Pick<Report, 'requirements' | 'cases' | 'reproductions'>,
  failedChecks: readonly FailedCheck[],
  judged: JudgedCases,
): Cause[] {
  const failures = failedChecks.flatMap(({ known, responses }) => (known === undefined ? responses : []));
  const groups = groupBy(findKeys(failures), ({ key }) => key.text).flatMap(([id, keyed]): Group[] => {
    const [first] = keyed;
    if (!first) return [];
    const own = keyed.flatMap(({ failure, isConsequence }) => (isConsequence ? [] : [failure]));
    const consequences = keyed.flatMap(({ failure, isConsequence }) => (isConsequence ? [failure] : []));
    return [{ id, scope: first.key.scope, failures: own, consequences, requests: requestsOf(own) }];
  });
  return mergeDetails(groups)
    .map((group) => causeOf(group, report, judged))
    .sort(
      (a, b) =>
        rankOf(a.severity) - rankOf(b.severity) ||
        b.requests.length - a.requests.length ||
        b.cases.length - a.cases.length,
    );
}

/** Returns the numbers of failed cases and of judged cases; for a pooled cause, only the number of failed requests. */
export function countOf({
  cases,
  judged,
  requests,
  isPooled,
}: Pick<Cause, 'cases' | 'judged' | 'requests' | 'isPooled'>): {
  readonly number: number;
  readonly of: number | undefined;
} {
  return isPooled ? { number: requests.length, of: undefined } : { number: cases.length, of: judged.length };
}

/** Formats what the baseline accepts, if the cause is worse; otherwise returns undefined. */
export function formatAccepted({ acceptedSeverity }: Cause): string | undefined {
  return (
    acceptedSeverity && `The baseline accepts at most: ${severityLabels[acceptedSeverity].toLowerCase()}.`
  );
}

/** The cases in which each requirement was judged. */
export type JudgedCases = ReadonlyMap<string, readonly CaseReport[]>;

interface Group {
  readonly id: string;
  readonly scope: Scope;
  readonly failures: readonly FailedResponse[];
  /** Failures that the other failures explain. They are counted, and never shown as an example. */
  readonly consequences: readonly FailedResponse[];
  readonly requests: ReadonlySet<string>;
}

/**
 * Merges groups of wrong details that occur in almost the same requests. Such groups probably have one cause, such as
 * a body that lacks several members.
 */
function mergeDetails(groups: readonly Group[]): Group[] {
  const merged: Group[] = [];
  const bySize = [...groups].sort((a, b) => b.requests.size - a.requests.size);
  for (const group of bySize) {
    const at = merged.findIndex((other) => isDetail(group) && isDetail(other) && isAlike(group, other));
    const other = merged[at];
    if (other)
      merged[at] = {
        ...other,
        failures: [...other.failures, ...group.failures],
        consequences: [...other.consequences, ...group.consequences],
      };
    else merged.push(group);
  }
  return merged;
}

function isDetail({ failures: [first] }: Group): boolean {
  return first?.kind === 'wrong-detail';
}

function isAlike(one: Group, other: Group): boolean {
  if (one.failures[0]?.severity !== other.failures[0]?.severity) return false;
  const common = [...one.requests].filter((id) => other.requests.has(id)).length;
  return common > 0 && common >= overlap * Math.max(one.requests.size, other.requests.size);
}

function causeOf(
  { id, scope, failures, consequences }: Group,
  {
    requirements: order,
    cases,
    reproductions = [],
  }: Pick<Report, 'requirements' | 'cases' | 'reproductions'>,
  judgedBy: JudgedCases,
): Cause {
  const all = [...failures, ...consequences];
  const breadthOf = (requirement: RequirementReport): number => judgedBy.get(requirement.id)?.length ?? 0;
  const requests = requestsOf(failures);
  const failed = new Set(failures.map(({ requirement }) => requirement.id));
  const reproduction = reproductions.find(
    ({ exchange, requirement }) => requests.has(requestOf(exchange)) && failed.has(requirement),
  );
  const symptoms = groupBySymptom(failures, { breadthOf, subject: scope.subject }).map((symptom) =>
    withCommands(symptom, reproduction),
  );
  const example = symptoms.find((symptom) => symptom.example)?.example;
  const listed = (some: readonly FailedResponse[]): readonly RequirementReport[] => {
    const own = new Set(some.map(({ requirement }) => requirement));
    return order.filter((requirement) => own.has(requirement));
  };
  const requirements = [
    ...new Set([...(example ? [example.requirement] : []), ...listed(failures), ...listed(consequences)]),
  ];
  const places = [...new Set(symptoms.flatMap((group) => group.places))];
  const judged = [...new Set(listed(failures).flatMap((requirement) => judgedBy.get(requirement.id) ?? []))];
  const occurrence = withoutChance(findOccurrence(failures, judged, cases), reproduction);
  const mixedUp = describeMixedUp(failures, cases);
  const accepted = all.flatMap(({ acceptedSeverity }) => acceptedSeverity ?? []);
  const [first] = failures;
  const { severity = 'wrong-detail', outcome = 'violates', kind = 'wrong-detail' } = first ?? {};
  return {
    id,
    severity,
    label: labelOf(severity, failures),
    outcome,
    title: formatCauseTitle(failures, scope, { condition: formatCondition(reproduction), cases }),
    lookAt:
      mixedUp === ''
        ? formatLookAt(kind, scope, symptoms[0]?.lookAt ?? '', {
            failures,
            judged,
            occurrence,
            reproduction,
            shared: listShared(failures, cases),
          })
        : sharedState,
    requirements,
    cases: [...new Set(failures.map(({ item }) => item.id))],
    judged,
    requests: [...requests],
    occurrence,
    reproduction,
    mixedUp,
    isPooled: failures.some((failure) => failure.exchange !== '' && !isDirect(failure)),
    places,
    symptoms,
    example,
    acceptedSeverity: accepted.length > 0 ? findMostSevere(accepted) : undefined,
  };
}

/** Removes the distinctions of requests that fail because of the state of the gateway, which are chance. */
function withoutChance(occurrence: Occurrence, reproduction: Reproduction | undefined): Occurrence {
  if (!reproduction || reproduction.pattern === 'always') return occurrence;
  const own = occurrence.distinctions.filter(({ attribute }) => attribute === 'operation');
  return {
    distinctions: own.map((distinction) => ({ ...distinction, conforming: undefined })),
    isSharp: true,
  };
}

/** Returns a symptom whose example shows the commands of the reproduction, if its curl line alone may not fail. */
function withCommands(symptom: SymptomGroup, reproduction: Reproduction | undefined): SymptomGroup {
  const { example } = symptom;
  const curl = reproduction?.commands;
  return example && curl !== undefined && example.exchange.id === reproduction?.exchange
    ? { ...symptom, example: { ...example, exchange: { ...example.exchange, curl } } }
    : symptom;
}

/** Returns the cases in which each requirement was judged, by its ID. */
export function groupJudgedCases({ cases }: Pick<Report, 'cases'>): JudgedCases {
  const judged = new Map<string, CaseReport[]>();
  for (const item of cases) {
    for (const { requirement, outcome } of item.checks) {
      if (outcome === 'inconclusive' || outcome === 'not-applicable') continue;
      const own = judged.get(requirement) ?? [];
      own.push(item);
      judged.set(requirement, own);
    }
  }
  return judged;
}

/** Returns the text that follows `Look first at`. `lookAt` is the place to check first in the response. */
function formatLookAt(
  kind: FailureKind,
  { subject }: Scope,
  lookAt: string,
  {
    failures,
    judged,
    occurrence,
    reproduction,
    shared,
  }: {
    readonly failures: readonly FailedResponse[];
    readonly judged: readonly CaseReport[];
    readonly occurrence: Occurrence;
    readonly reproduction: Reproduction | undefined;
    /** The unusual properties that all failed requests share. */
    readonly shared: readonly string[];
  },
): string {
  if (failures.every(({ exchange }) => exchange === '')) return lookAt || 'the profile';
  const state = findSharedState(reproduction);
  if (state !== undefined) return state;
  if (failures.every(({ attributes }) => isOverlapping(attributes)))
    return kind === 'server-error'
      ? `the log of the gateway at the time of these requests, and ${sharedState}`
      : `${sharedState}${reproduction ? '' : withOthers}`;
  if (subject === 'after-refusal')
    return 'the code that refuses a request before it has read its body: read the body, or close the connection';
  const special = formatSpecialTreatment(occurrence, shared);
  if (special !== '' && servedOrRefused.includes(kind)) return special;
  switch (kind) {
    case 'unauthorized-access': {
      const afterChange = changes.get(failures[0]?.attributes.lifecycle);
      if (
        afterChange &&
        failures.every(({ attributes }) => attributes.lifecycle === failures[0]?.attributes.lifecycle)
      )
        return afterChange;
      if (subject === 'wrong-key') return formatLookAtForWrongKey(failures, judged, reproduction);
      if (!occurrence.isSharp && !reproduction) return `${storedResults}. Similar requests are rejected`;
      return rights.get(subject) ?? 'the authentication of these operations';
    }
    case 'invalid-accepted':
      return checks.get(subject) ?? 'the validation of incoming requests';
    case 'valid-request-fails':
      return formatLookAtForRefusal(failures, judged, occurrence);
    case 'server-error':
      return 'the log of the gateway at the time of these requests';
    case 'wrong-status':
      if (
        failures.every(({ findings }) => findings.every(({ finding }) => finding.kind === 'never-happened'))
      )
        return failures.some(({ evidence }) => evidence?.response?.status === 429)
          ? 'the body of the 429 response: its `error.code` must be `rate_limit_exceeded`'
          : 'whether a limit is enforced, and whether all nodes count together';
      return beforeLookup.includes(subject)
        ? 'the validation of the parameters, before the record is looked up'
        : 'the code that sets the status of this error';
    case 'not-json':
    case 'wrong-type':
    case 'wrong-detail':
      return lookAt || 'the response';
  }
}

const withOthers =
  '. Requests with other keys were under way at the same time, so the curl line alone may get a correct response';

/** The kinds of failures in which the gateway serves or refuses a request wrongly. */
const servedOrRefused: readonly FailureKind[] = [
  'unauthorized-access',
  'valid-request-fails',
  'invalid-accepted',
  'server-error',
  'wrong-status',
];

/** The attributes that should make no difference to whether a request is served. */
const irrelevant = ['streamed', 'accept', 'added', 'transfer', 'version', 'contentType'];

/** Returns what to check if something decides that should make no difference; otherwise an empty string. */
function formatSpecialTreatment({ distinctions, isSharp }: Occurrence, shared: readonly string[]): string {
  const own = distinctions.filter(
    ({ attribute, conforming }) => conforming !== undefined && irrelevant.includes(attribute),
  );
  // What the body says may decide just as well.
  const isOther = distinctions.some(({ attribute }) => attribute === 'body' || attribute === 'given');
  const texts =
    shared.length > 0 ? shared : own.map(({ text }) => text.replace(/^(not )?streamed$/, 'that are $&'));
  return texts.length > 0 && (shared.length > 0 || (isSharp && !isOther))
    ? `what the gateway does differently for requests ${texts.join(' and ')}`
    : '';
}

const beforeLookup: readonly string[] = ['invalid-record', 'invalid-range'];

function formatLookAtForRefusal(
  failures: readonly FailedResponse[],
  judged: readonly CaseReport[],
  occurrence: Occurrence,
): string {
  const statuses = failures.map(({ symptom }) => symptom.status?.actual ?? 500);
  if (statuses.every((status) => status >= 300 && status < 400))
    return 'the response header `location`: the request is redirected';
  if (statuses.every((status) => status === 404 || status === 405))
    return isAnsweredOtherwise(failures, judged, occurrence)
      ? 'how the gateway looks up what these requests name. Other requests to the same operation succeed'
      : 'the routes of the gateway: no operation answers at this path with this method';
  if (statuses.every((status) => status === 401 || status === 403))
    return 'how the key of these requests is read and looked up';
  return statuses.every((status) => status < 500)
    ? 'the message in the body, which may explain why the request is rejected'
    : 'the log of the gateway at the time of these requests';
}

/** Whether other requests to the same operation conform, so that its path and method are known. */
function isAnsweredOtherwise(
  failures: readonly FailedResponse[],
  judged: readonly CaseReport[],
  { distinctions }: Occurrence,
): boolean {
  const operations = new Set(failures.map(({ attributes }) => attributes.operation));
  const failed = new Set(failures.map(({ item }) => item.id));
  return (
    distinctions.some(({ attribute, conforming }) => attribute !== 'operation' && conforming !== undefined) ||
    judged.some(
      ({ id, outcome, attributes }) =>
        isKept(outcome) && !failed.has(id) && operations.has(attributes.operation),
    )
  );
}

function formatLookAtForWrongKey(
  failures: readonly FailedResponse[],
  judged: readonly CaseReport[],
  reproduction: Reproduction | undefined,
): string {
  if (failures.every(({ attributes: { key } }) => key === 'jwt'))
    return 'how JSON Web Tokens are accepted: the check of their signature and issuer';
  if (failures.every(({ attributes: { key = '' } }) => misparsedKeys.includes(key)))
    return 'how the header with the key is parsed';
  // A request that fails each time does not depend on what is stored.
  const stored = reproduction ? '' : `, and at ${storedResults}`;
  if (isScattered(failures, judged))
    return `how keys are compared${stored}. Most similar requests are rejected`;
  // A key of the kind `unknown` is not similar to a valid key, so an imprecise comparison would reject the key.
  return failures.some(({ attributes }) => attributes.key === 'unknown')
    ? `whether the gateway looks up each key instead of only checking its presence or form${stored}`
    : 'how keys are compared: the whole key must match';
}

/** Kinds of keys that a wrong parser of the header takes for the valid key. */
const misparsedKeys: readonly string[] = ['with-scheme', 'followed', 'listed'];

const storedResults = 'results of earlier requests that are stored on the connection or in a cache';

/** The parts of the gateway and of the profile to check first, by the last change of the key or of its account. */
const changes: ReadonlyMap<string | undefined, string> = new Map([
  [
    'deleted',
    'caches and connections that still accept a deleted key, and at `setup.deleteKey` in the profile, which must not return before the key is deleted',
  ],
  [
    'long-drained',
    'caches of the balance, and at `setup.drain` in the profile, which must not return before the balance is used up',
  ],
]);

const rights: ReadonlyMap<Scope['subject'], string> = new Map([
  ['no-credential', 'whether these paths require a key'],
  ['empty-key', 'how an empty key is distinguished from a valid one'],
  ['deleted-key', 'caches and nodes that still accept a deleted key'],
  ['misplaced-key', 'where keys are read from'],
  ['malformed-credential', 'how `Authorization` is parsed'],
  ['depleted-account', 'the balance check before a model is called'],
  ['foreign-record', 'the check that a record belongs to the account of the key'],
]);

const checks: ReadonlyMap<Scope['subject'], string> = new Map([
  ['not-json', 'how the body is parsed, before the model is called'],
  ['invalid-body', 'the validation of the body, before the model is called'],
  ['image', 'the check that the model accepts images'],
  ['unlisted-model', 'how the model ID is looked up'],
  ['unsupported-model', 'the list of models that can be called'],
  ['unavailable-model', 'how the state of a model is looked up'],
  ['mismatched-model', 'the list of models that each protocol offers'],
]);
