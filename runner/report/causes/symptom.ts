import type { Finding } from '../../judge/finding.ts';
import { gather } from '../../text/words.ts';
import { placeOf, type Telling } from '../places.ts';
import type { ExchangeReport, FindingReport, RequirementReport } from '../report.ts';
import { placeName, schemaProblem, showValue, wordFinding } from '../wording.ts';
import { type Failure, requestOf } from './failures.ts';
import { gravest, rankOf, type Severity } from './severity.ts';

/** What was wrong with an answer, apart from which requirement it broke. */
export interface Symptom {
  /** The same for answers that are wrong in the same way. */
  readonly key: string;
  /** What was expected, and what came. */
  readonly message: string;
  /** What came, where requirements differ in what they would have had instead. */
  readonly seen: string;
  /** Where in the answer it was seen: JSON pointers, `status`, `body`, or `header NAME`. */
  readonly places: readonly string[];
  /** The wrong status and what was expected instead, if the status is wrong. */
  readonly status?: { readonly expected: string; readonly actual: number };
}

interface Trait {
  /** What makes two findings of a kind the same; values that are others in each answer are left out. */
  readonly same: string;
  readonly seen?: string;
}

type Traits = { readonly [K in Telling['kind']]: (finding: Extract<Telling, { kind: K }>) => Trait };

const traits: Traits = {
  // Of several statuses that are right, the first is the plain one: a stream may also bring an error after a 2xx.
  'wrong-status': ({ expected, actual }) => ({ same: `${plainStatus(expected)} ${actual}` }),
  'wrong-type': ({ actual }) => ofMember('error.type', actual),
  'wrong-code': ({ actual }) => ofMember('error.code', actual),
  'not-json': () => ({ same: '', seen: 'the body is not JSON' }),
  missing: ({ place }) => ({ same: place }),
  'wrong-value': ({ place, expected }) => ({
    same: `${place} ${expected}`,
    seen: `${placeName(place)} ${expected}`,
  }),
  'breaks-schema': ({ schema, place, problem }) => ({
    same: `${schema} ${place} ${problem}`,
    seen: schemaProblem(place, problem),
  }),
  'not-equal': ({ place, other }) => ({
    same: `${place} ${other}`,
    seen: `${placeName(place)} is not the same as ${placeName(other)}`,
  }),
  'wrong-media-type': ({ expected, actual }) => ({ same: `${expected} ${actual}` }),
  'names-nothing': () => ({ same: '', seen: 'the message does not name what is at fault' }),
  'model-not-listed': () => ({ same: '' }),
  'model-listed': () => ({ same: '' }),
  'one-part': () => ({ same: '' }),
  'no-error-event': () => ({ same: '' }),
  'wrong-path': ({ pattern }) => ({ same: pattern, seen: `the path is not like ${pattern}` }),
  'wrong-fact': ({ fact, expected, actual }) => ({ same: `${fact} ${expected} ${actual}` }),
  'never-happened': ({ wanted }) => ({ same: wanted }),
  happened: ({ unwanted, actual }) => ({ same: `${unwanted} ${actual}` }),
  differs: ({ place }) => ({ same: place }),
  repeats: ({ place }) => ({ same: place }),
};

/** The symptom of the findings of one response. If the status is wrong, it is the only one: the rest follows from it. */
export function symptomOf(findings: readonly Finding[]): Symptom {
  const simple = simpleFindings(findings);
  const [first] = simple;
  const told = new Map(
    simple.map((finding) => {
      const { same, seen } = traitOf(finding, finding.kind);
      const message = wordFinding(finding);
      return [`${finding.kind} ${same}`, { message, seen: seen ?? message, place: placeOf(finding) }];
    }),
  );
  const all = [...told.values()];
  return {
    key: [...told.keys()].join('; '),
    message: joined(all.map(({ message }) => message)),
    seen: joined(all.map(({ seen }) => seen)),
    places: [...new Set(all.flatMap(({ place }) => place ?? []))],
    ...statusIn(first),
  };
}

function statusIn(finding: Telling | undefined): Pick<Symptom, 'status'> {
  if (finding?.kind === 'wrong-status') return { status: finding };
  if (finding?.kind !== 'happened') return {};
  return { status: { expected: `any status but ${finding.unwanted}`, actual: finding.actual } };
}

/**
 * The findings that explain why a response is wrong: only the wrong status if there is one, since the rest follows from
 * it. If several responses would be right, the findings for the one that differs least.
 */
export function simpleFindings(findings: readonly Finding[]): readonly Telling[] {
  const flat = findings.flatMap((finding) =>
    finding.kind === 'none-of-several' ? nearest(finding.alternatives) : [finding],
  );
  const status = flat.find(({ kind }) => kind === 'wrong-status' || kind === 'happened');
  return status ? [status] : flat;
}

/** The findings for the right response that differs least; a wrong status differs more than anything else. */
function nearest(alternatives: readonly (readonly Finding[])[]): readonly Telling[] {
  const told = alternatives.map(simpleFindings);
  const statuses = told.flatMap(([first]) => (first?.kind === 'wrong-status' ? [first] : []));
  const [status] = statuses;
  if (status && statuses.length === told.length) {
    return [{ ...status, expected: [...new Set(statuses.map(({ expected }) => expected))].join(' or ') }];
  }
  return told
    .filter(([first]) => first?.kind !== 'wrong-status')
    .reduce((best, next) => (next.length < best.length ? next : best));
}

function traitOf<K extends Telling['kind']>(finding: Extract<Telling, { kind: K }>, kind: K): Trait {
  return traits[kind](finding);
}

function ofMember(name: string, actual: unknown): Trait {
  const shown = showValue(actual);
  return { same: shown, seen: `${name} is ${shown}` };
}

/** The first of several statuses that are right. */
export function plainStatus(expected: string): string {
  return expected.split(' or ')[0] ?? expected;
}

function joined(parts: readonly string[]): string {
  return [...new Set(parts)].join('; ');
}

/** Failures with the same symptom. */
export interface SymptomGroup {
  /** The gravest of the failures. */
  readonly severity: Severity;
  /** What was expected and received, in most of the responses. */
  readonly message: string;
  /** What was received, where requirements differ in what they expect. */
  readonly seen: string;
  /** In how many other words the same was found: a gateway may send another value each time. */
  readonly otherMessages: number;
  /** Where in the response: JSON pointers, `status`, `body`, or `header NAME`. */
  readonly places: readonly string[];
  readonly requirements: readonly RequirementReport[];
  /** The ids of the cases. */
  readonly cases: readonly string[];
  /** The ids of the requests, each once however often it was tried. */
  readonly requests: readonly string[];
  /** One of the failures, with its exchange; undefined if the report has none of their exchanges. */
  readonly example: Example | undefined;
}

/** A failure that can be shown and repeated. */
export interface Example {
  readonly requirement: RequirementReport;
  readonly case: string;
  readonly exchange: ExchangeReport;
  /** What was found in it, in words and as data. */
  readonly message: string;
  readonly findings: readonly FindingReport[];
}

/** Failures by their symptom, the gravest first, then the most frequent. */
export function groupBySymptom(failures: readonly Failure[]): SymptomGroup[] {
  return gather(failures, ({ symptom }) => symptom.key)
    .map(([, own]) => groupOf(own))
    .sort((a, b) => rankOf(a.severity) - rankOf(b.severity) || b.requests.length - a.requests.length);
}

function groupOf(failures: readonly Failure[]): SymptomGroup {
  const byMessage = gather(failures, ({ symptom }) => symptom.message).sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const [[, usual] = ['', []]] = byMessage;
  const [first] = usual;
  return {
    severity: gravest(failures.map(({ severity }) => severity)),
    message: first?.symptom.message ?? '',
    seen: first?.symptom.seen ?? '',
    otherMessages: byMessage.length - 1,
    places: first?.symptom.places ?? [],
    requirements: [...new Set(failures.map(({ requirement }) => requirement))],
    cases: [...new Set(failures.map(({ item }) => item.id))],
    requests: [...new Set(failures.map(({ exchange }) => requestOf(exchange)))],
    example: exampleOf(usual) ?? exampleOf(failures),
  };
}

/** The plainest of some failures: neither streamed, nor wrong in other ways too. */
function exampleOf(failures: readonly Failure[]): Example | undefined {
  const shown = failures.flatMap((failure) =>
    failure.evidence ? [{ failure, exchange: failure.evidence }] : [],
  );
  const isPlain = ({ failure: { facts } }: (typeof shown)[number]): boolean =>
    facts.streamed !== 'true' && facts.repeated !== 'true';
  const found =
    shown.find((one) => isPlain(one) && one.failure.facts.request === 'valid') ??
    shown.find(isPlain) ??
    shown[0];
  if (!found) return undefined;
  const { failure, exchange } = found;
  return {
    requirement: failure.requirement,
    case: failure.item.id,
    exchange,
    message: failure.symptom.message,
    findings: failure.findings,
  };
}
