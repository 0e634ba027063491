import { groupBy } from '../../text/lists.ts';
import type { Report, RequirementReport } from '../report.ts';
import { makeCauseKey, type Scope } from './cause-key.ts';
import { titleOf } from './cause-title.ts';
import { collectFailures, type Failure, requestOf } from './failures.ts';
import { type Kind, rankOf, type Severity } from './severity.ts';
import { type Example, groupBySymptom, type SymptomGroup } from './symptom-groups.ts';

/** Failures that one repair would probably mend: of one severity, and alike in what was sent or received. */
export interface Cause {
  /** The same in every run with the same cause. */
  readonly id: string;
  readonly severity: Severity;
  readonly outcome: 'violates' | 'warns';
  /** What goes wrong, as a sentence without its full stop. */
  readonly title: string;
  /** Where to begin: a noun phrase. */
  readonly lookAt: string;
  /** What it violates, in the order of the report. */
  readonly requirements: readonly RequirementReport[];
  /** The ids of the cases that show it. */
  readonly cases: readonly string[];
  /** The ids of the cases in which its requirements were judged; others do not apply, or could not be judged. */
  readonly judged: readonly string[];
  /** The ids of the requests that show it, each once however often it was tried. */
  readonly requests: readonly string[];
  /** Whether a case is among them that judges the requests of others. */
  readonly isPooled: boolean;
  readonly places: readonly string[];
  /** The most frequent first; never empty. */
  readonly symptoms: readonly SymptomGroup[];
  /** The first symptom that has one. */
  readonly example: Example | undefined;
}

/** The share of requests that two wrong details have in common if they count as one cause. */
const overlap = 0.9;

type Judged = Pick<Report, 'cases' | 'requirements'>;

/** The causes of reports: several reporters of a run show the same. */
const known = new WeakMap<Judged, readonly Cause[]>();

/** The causes of everything that fails and that no baseline expects: by severity, then by the number of cases. */
export function causesOf(report: Judged): readonly Cause[] {
  const causes = known.get(report) ?? findCauses(report);
  known.set(report, causes);
  return causes;
}

function findCauses(report: Judged): Cause[] {
  const failures = collectFailures(report);
  const keyOf = makeCauseKey(failures);
  const keyed = failures.map((failure) => ({ failure, key: keyOf(failure) }));
  const groups = groupBy(keyed, ({ key }) => key.text).flatMap(([id, [first, ...others]]): Group[] => {
    if (!first) return [];
    const own = [first, ...others].map(({ failure }) => failure);
    return [{ id, scope: first.key.scope, failures: own, requests: requestsOf(own) }];
  });
  const judged = judgedCases(report);
  return mergeDetails(groups)
    .map((group) => causeOf(group, report.requirements, judged))
    .sort(
      (a, b) =>
        rankOf(a.severity) - rankOf(b.severity) ||
        b.requests.length - a.requests.length ||
        b.cases.length - a.cases.length,
    );
}

/** How many cases of those that were judged show a cause; how many requests, if its cases are about those of others. */
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

interface Group {
  readonly id: string;
  readonly scope: Scope;
  readonly failures: readonly Failure[];
  readonly requests: ReadonlySet<string>;
}

/** Wrong details of almost the same responses are one cause: a body built elsewhere lacks several members at once. */
function mergeDetails(groups: readonly Group[]): Group[] {
  const merged: Group[] = [];
  const bySize = [...groups].sort((a, b) => b.requests.size - a.requests.size);
  for (const group of bySize) {
    const at = merged.findIndex((other) => isDetail(group) && isDetail(other) && isAlike(group, other));
    const other = merged[at];
    if (other) merged[at] = { ...other, failures: [...other.failures, ...group.failures] };
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
  return common >= overlap * Math.max(one.requests.size, other.requests.size);
}

function causeOf(
  { id, scope, failures }: Group,
  order: readonly RequirementReport[],
  judged: ReadonlyMap<string, readonly string[]>,
): Cause {
  const own = new Set(failures.map(({ requirement }) => requirement));
  const requirements = order.filter((requirement) => own.has(requirement));
  const symptoms = groupBySymptom(failures);
  const places = [...new Set(symptoms.flatMap((group) => group.places))];
  const [first] = failures;
  const { severity = 'wrong-detail', outcome = 'violates', kind = 'wrong-detail' } = first ?? {};
  return {
    id,
    severity,
    outcome,
    title: titleOf(failures, scope),
    lookAt: whereToLook(kind, scope, places),
    requirements,
    cases: [...new Set(failures.map(({ item }) => item.id))],
    judged: [...new Set(requirements.flatMap((requirement) => judged.get(requirement.id) ?? []))],
    requests: [...requestsOf(failures)],
    isPooled: failures.some(({ item, exchange }) => exchange !== '' && !exchange.startsWith(`${item.id}#`)),
    places,
    symptoms,
    example: symptoms.find(({ example }) => example)?.example,
  };
}

function requestsOf(failures: readonly Failure[]): Set<string> {
  return new Set(failures.map(({ exchange }) => requestOf(exchange)));
}

/** The ids of the cases in which each requirement was judged. */
function judgedCases({ cases }: Pick<Report, 'cases'>): ReadonlyMap<string, readonly string[]> {
  const judged = new Map<string, string[]>();
  for (const { id, obligations } of cases) {
    for (const { requirement, outcome } of obligations) {
      if (outcome === 'inconclusive' || outcome === 'not-applicable') continue;
      const own = judged.get(requirement) ?? [];
      own.push(id);
      judged.set(requirement, own);
    }
  }
  return judged;
}

/** Where an engineer begins to look for a cause: a noun phrase. */
export function whereToLook(kind: Kind, { subject }: Scope, places: readonly string[]): string {
  switch (kind) {
    case 'unauthorized-access':
      return rights.get(subject) ?? 'the authentication of these operations';
    case 'invalid-accepted':
      return checks.get(subject) ?? 'the checks before the request is served';
    case 'server-error':
      return 'the log of the gateway at that time';
    case 'wrong-status':
      return subject === 'valid-request'
        ? 'the message in the body: why is this request refused?'
        : 'the code that turns this refusal into a status';
    case 'wrong-type':
      return 'the code that chooses the type of an error';
    case 'wrong-detail':
      return places.some((place) => place.startsWith('/error') || place.includes('trace'))
        ? 'the code that builds error responses'
        : 'the marked places of the response';
  }
}

const rights: ReadonlyMap<Scope['subject'], string> = new Map([
  ['no-credential', 'whether these paths are authenticated at all'],
  ['empty-key', 'how an empty key is distinguished from a valid one'],
  ['wrong-key', 'how keys are compared: the whole key must match'],
  ['deleted-key', 'caches and nodes that still hold a deleted key'],
  ['misplaced-key', 'where keys are read from'],
  ['malformed-credential', 'how `Authorization` is parsed'],
  ['depleted-account', 'the check of the balance before a model is called'],
  ['foreign-record', 'whether a record belongs to the account of the key'],
]);

const checks: ReadonlyMap<Scope['subject'], string> = new Map([
  ['not-json', 'how the body is parsed, before the model is called'],
  ['invalid-body', 'the validation of the body, before the model is called'],
  ['image', 'the check whether a model takes images'],
  ['unlisted-model', 'how the model ID is looked up'],
  ['unsupported-model', 'the list of models that can be called'],
  ['mismatched-model', 'which models each protocol offers'],
]);
